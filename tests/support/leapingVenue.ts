import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Starts a whole venue with the built client (`npm run build` first), whose clock a test can move forward. */
export async function openLeapingVenue() {
  const script = join(import.meta.dirname, 'leapingVenueProcess.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const url = (await lines.next()).value as string
  return {
    url,
    port: Number(new URL(url).port),
    leap: async (ms: number): Promise<void> => {
      child.stdin.write(`${ms}\n`)
      await lines.next()
    },
    close: async (): Promise<void> => {
      child.stdin.end()
      await exited
    },
  }
}
export type LeapingVenue = Awaited<ReturnType<typeof openLeapingVenue>>
