import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runCommand } from '../../packages/uptick/src/cli/runCommand.ts'
import { serverBundle } from './serverBundle.ts'

const running = new Set<ChildProcess>()

/** The command as a file for Node. */
export const uptickFile = (): string => join(serverBundle(), 'uptick.js')

/** Starts the command `uptick` in a process; `ended` is its exit code and what it wrote. */
export function startUptick(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [uptickFile(), ...args], { env: { ...process.env, ...env } })
  running.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (data: Buffer) => (output.out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output.err += data.toString()))
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return { code: code as number | null, ...output }
  })
  return { child, output, ended }
}

const opened = new Set<{ stop: AbortController; ended: Promise<number> }>()

/** Starts the command `uptick` in this process, which takes far less time; `interrupt` is its Ctrl-C. */
export function openUptick(args: readonly string[]) {
  const stop = new AbortController()
  const output = { out: '', err: '' }
  const ended = runCommand([...args], {
    print: (line) => void (output.out += `${line}\n`),
    note: (line) => void (output.err += `${line}\n`),
    interruptSignal: () => stop.signal,
  })
  const run = { stop, ended }
  opened.add(run)
  const result = ended.then((code) => ({ code, ...output })).finally(() => opened.delete(run))
  return { output, ended: result, interrupt: () => stop.abort() }
}

/** Runs the command `uptick` to its end in this process. */
export const runUptick = (...args: string[]) => openUptick(args).ended

/** Ends what a failed test has left running. */
export async function killUpticks(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'close'))
  for (const child of running) child.kill('SIGKILL')
  for (const { stop } of opened) stop.abort()
  await Promise.allSettled([...ends, ...[...opened].map(({ ended }) => ended)])
}
