import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { inject } from 'vitest'

const running = new Set<ChildProcess>()

const commandFile = (): string => join(inject('serverBundle'), 'uptick.js')

/** Starts the command `uptick` in a process; `ended` is its exit code and what it wrote. */
export function startUptick(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [commandFile(), ...args], { env: { ...process.env, ...env } })
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

/** Runs the command `uptick` to its end, in a thread: it starts in less than half of a process's time. */
export async function runUptick(...args: string[]) {
  const worker = new Worker(commandFile(), { argv: args, stdout: true, stderr: true })
  const [out, err, [code]] = await Promise.all([
    text(worker.stdout),
    text(worker.stderr),
    once(worker, 'exit') as Promise<[number]>,
  ])
  return { code, out, err }
}

/** Ends what a failed test has left running. */
export function killUpticks(): void {
  for (const child of running) child.kill('SIGKILL')
}
