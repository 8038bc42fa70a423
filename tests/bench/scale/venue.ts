import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startVenue } from '../../support/venueProcess.ts'
import { childMessage } from '../childMessage.ts'
import type { FromReceivers, ToReceivers } from '../fanout/messages.ts'
import { memoryMb, processorSeconds } from '../start/processes.ts'

export const ticksPerSecond = 20

/** What a venue's process took while it was measured: processor in seconds a second, memory at the end. */
export type Load = { cpu: number; mb: number; frames: number }

export const productIds = (count: number): string[] => Array.from({ length: count }, (_, i) => `P${i}`)

const table = (count: number) =>
  productIds(count).map((id, i) => ({
    id,
    code: id,
    category: 'crypto',
    names: { en: id },
    priceDecimals: 2,
    durations: [{ seconds: 5, rateBp: 8500, min: '1.00', max: '5000.00' }],
    maxTickGapMs: 15_000,
    entryTimeoutMs: 5000,
    recommended: i < 3,
    feed: { synthetic: { seed: i, ticksPerSecond, start: 1000 * (i + 1), volatility: 0.3 } },
  }))

/** The built venue with so many products, in a process of its own, as `npm start` runs it. */
export async function openScaledVenue(products: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-scale-'))
  const productsFile = join(dataDir, 'products.json')
  await writeFile(productsFile, JSON.stringify(table(products)))
  const venue = startVenue(
    ['dist/server/main.js'],
    {
      DATA_DIR: dataDir,
      PRODUCTS_FILE: productsFile,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...(process.env['BENCH_DATABASE_URL'] && { DATABASE_URL: process.env['BENCH_DATABASE_URL'] }),
    },
    ['--v8-pool-size=1', '--max-semi-space-size=8'],
  )
  const url = await venue.ready
  return {
    url,
    cpuS: () => processorSeconds(venue.pid),
    /** What it takes for so long. */
    measure: async (seconds: number): Promise<Omit<Load, 'frames'>> => {
      const [before, begunAt] = [processorSeconds(venue.pid), performance.now()]
      await pause(seconds * 1000)
      const cpu = ((processorSeconds(venue.pid) - before) * 1000) / (performance.now() - begunAt)
      return { cpu, mb: memoryMb(venue.pid, 'VmRSS') }
    },
    close: async (): Promise<void> => {
      await venue.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
export type ScaledVenue = Awaited<ReturnType<typeof openScaledVenue>>

/** Sockets in a process of their own, each of which receives every tick of these products. */
export async function openSockets(url: string, size: number, products: readonly string[]) {
  const receivers = fork(
    join(import.meta.dirname, '../fanout/receivers.ts'),
    ['venue', new URL(url).port, String(size), JSON.stringify(products)],
    { execArgv: ['--import', 'tsx'] },
  )
  const exited = once(receivers, 'exit')
  const command = (message: ToReceivers): void => void receivers.send(message)
  await childMessage<FromReceivers, 'ready'>(receivers, 'ready')
  return {
    more: async (count: number): Promise<void> => {
      if (count === 0) return
      const connected = childMessage<FromReceivers, 'ready'>(receivers, 'ready')
      command({ open: count })
      await connected
    },
    /** Frames a second that they receive together meanwhile. */
    during: async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      command('begin')
      const result = await work()
      const measured = childMessage<FromReceivers, 'measured'>(receivers, 'measured')
      command('end')
      return [result, (await measured).perSecond]
    },
    close: async (): Promise<void> => {
      receivers.kill()
      await exited
    },
  }
}
