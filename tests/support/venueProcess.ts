import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
/** A test's venue ends before optimised code of its embedded database has paid off. */
export const nodeFlags = ['--liftoff-only']

export type VenueProcess = {
  pid: number
  /** Its URL once it serves; rejects if it exits before. */
  ready: Promise<string>
  /** Everything it has written so far. */
  output: () => string
  /** The same without the lines of its log: what it says last if it cannot start. */
  message: () => string
  /** Its exit code, null after a signal; resolves when the process has exited. */
  exited: Promise<number | null>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends a signal and resolves when the process has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/**
 * Starts a venue in its own process, by default on a free port; it gets only these settings.
 * @param program another Node than that of the tests
 */
export function startVenue(
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = nodeFlags,
  program = process.execPath,
): VenueProcess {
  const child = spawn(program, [...flags, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  let output = ''
  const ready = new Promise<string>((resolveUrl, reject) => {
    const onOutput = (data: Buffer): void => {
      output += data.toString()
      const address = /is ready at (\S+)/.exec(output)?.[1]
      if (address !== undefined) resolveUrl(address)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    exited.then(() => reject(new Error(`The venue ended: ${output}`)), reject)
  })
  // A caller that stops it while it starts does not await `ready`.
  ready.catch(() => undefined)
  return {
    pid: child.pid ?? 0,
    ready,
    output: () => output,
    message: () => output.replaceAll(/^\{.*\}\n/gm, ''),
    exited,
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      child.kill(signal)
      await exited
    },
  }
}
