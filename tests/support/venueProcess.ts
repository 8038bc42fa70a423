import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export type VenueProcess = {
  /** Its address once it serves; rejects where it ended before. */
  ready: Promise<string>
  /** All that it wrote so far. */
  output: () => string
  /** Its exit code, null after a signal; resolves when it is gone. */
  exited: Promise<number | null>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends a signal, and resolves when the process is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts a venue as a process of its own, on a free port unless told otherwise; it sees no settings but these. */
export function startVenue(args: readonly string[], env: Record<string, string>): VenueProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  let output = ''
  const ready = new Promise<string>((found, reject) => {
    const onOutput = (data: Buffer): void => {
      output += data.toString()
      const address = /is ready at (\S+)/.exec(output)?.[1]
      if (address !== undefined) found(address)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    exited.then(() => reject(new Error(`The venue ended: ${output}`)), reject)
  })
  // Whoever ends it while it starts does not wait for it.
  ready.catch(() => undefined)
  return {
    ready,
    output: () => output,
    exited,
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      child.kill(signal)
      await exited
    },
  }
}
