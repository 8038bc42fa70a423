import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'

const running = new Set<ChildProcess>()

/** Starts the command `uptick`; `ended` is its exit code and what it wrote. */
export function startUptick(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const main = join(inject('serverBundle'), 'uptick.js')
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } })
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

/** Runs the command `uptick` to its end. */
export const runUptick = (...args: string[]) => startUptick(args).ended

/** Ends what a failed test has left running. */
export function killUpticks(): void {
  for (const child of running) child.kill('SIGKILL')
}
