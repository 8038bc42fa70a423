import type { Socket as TcpSocket } from 'node:net'
import { clientFrame, openRawSocket } from '../support/rawSocket.ts'
import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import type { SocketClient } from '../support/socketClients.ts'
import { openTestVenue, type TestVenue } from '../support/testVenue.ts'

const ticksPerFlush = 200
/** Ticks of the other product, which the readers do not watch: they fill the stalled socket's buffers. */
const ticksPerFill = 4000
const fillsMax = 5000
/** Small enough that a test fills it soon. The venue terminates a socket in the same way at its own bound. */
const bufferedMaxBytes = 256 * 1024

/** A socket that subscribes to products and reads nothing. */
export async function openStalledSocket(venue: TestVenue, products: readonly string[]): Promise<TcpSocket> {
  const before = venue.realtime.counts().sockets
  const { tcp } = await openRawSocket((await venue.listen()).url)
  tcp.write(clientFrame('40'))
  await waitUntil(() => venue.realtime.counts().sockets === before + 1)
  tcp.write(clientFrame(`420["subscribe",${JSON.stringify({ products })}]`))
  await new Promise((resolve) => tcp.once('data', resolve))
  tcp.pause()
  return tcp
}

/** Returns once a condition is true; polls whenever the event loop is idle. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

export type FanoutReport = {
  /** From the flush to each reader, ms. */
  calmMs: number[]
  stalledMs: number[]
  terminated: number
  /** How often a reader missed ticks. */
  missed: number
}

/**
 * Sends flushes to readers of one product, in rounds with and without another socket that does not read: how long each
 * flush took to each reader, and whether any reader missed ticks.
 */
export async function driveFanout(readers: number, rounds: number, flushes: number): Promise<FanoutReport> {
  const database = await openMemoryDatabase()
  const venue = await openTestVenue(database, { productIds: ['A', 'B'], bufferedMaxBytes })
  const report: FanoutReport = { calmMs: [], stalledMs: [], terminated: 0, missed: 0 }
  try {
    const clients = await Promise.all(Array.from({ length: readers }, () => venue.connect()))
    for (const client of clients) await client.request('subscribe', { products: ['A'] })
    let price = 0
    const flush = async (delaysMs: number[]): Promise<void> => {
      const ticks = Array.from({ length: ticksPerFlush }, () => 1_000_000 + (price = (price + 7) % 9973))
      const received = clients.map(arrival)
      for (const client of clients) client.received.length = 0
      const sentAt = performance.now()
      venue.market.flushPrices({ A: ticks })
      for (const at of await Promise.all(received)) delaysMs.push(at - sentAt)
      // Each flush is one frame with one block, so a reader that missed it has another newest tick.
      const { seq } = venue.market.head('A')
      report.missed += clients.filter((client) => newestOf(client) !== seq).length
    }
    const fill = Array.from({ length: ticksPerFill }, (_, i) => 1_000_000 + ((i * 7919) % 99_991))
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < flushes; i++) await flush(report.calmMs)
      const before = venue.realtime.counts().terminated
      const stalled = await openStalledSocket(venue, ['A', 'B'])
      for (let i = 0; i < flushes; i++) await flush(report.stalledMs)
      // The kernel's buffers come before the venue's bound, so send until both are full.
      for (let i = 0; i < fillsMax && venue.realtime.counts().terminated === before; i++) {
        venue.market.flushPrices({ B: fill })
        await new Promise((resolve) => setImmediate(resolve))
      }
      report.terminated += venue.realtime.counts().terminated - before
      stalled.destroy()
    }
    return report
  } finally {
    await venue.close()
    await database.close()
  }
}

const arrival = ({ socket }: SocketClient): Promise<number> =>
  new Promise((resolve) => socket.once('ticks', () => resolve(performance.now())))

/** The newest tick that a reader has received. */
function newestOf(client: SocketClient): number {
  const block = client.frames().at(-1)?.blocks[0]
  return block ? block.seq0 + block.values.length / 3 - 1 : 0
}
