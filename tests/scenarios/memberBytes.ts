import { WebSocket } from 'ws'
import { tickEncodings, type TickEncoding } from '../../contract/tickFrame.ts'
import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import { manualClock } from '../support/manualClock.ts'
import { openWholeVenue, scratchFolder } from '../support/wholeVenue.ts'

const listed = 20
const ticksPerSecond = 20

/** Bytes a second that a member receives, by event, with the headers of WebSocket frames. */
export type MemberBytes = { total: number; byEvent: Record<string, number> }

/**
 * What one member receives per second with 20 products in a list and one open, each with 20 ticks a second, in each tick
 * encoding. The venue's own market and sockets, on virtual time.
 */
export async function memberBytes(seconds: number): Promise<Record<TickEncoding, MemberBytes>> {
  const folder = await scratchFolder()
  const database = await openMemoryDatabase()
  const clock = manualClock()
  const venue = await openWholeVenue({
    database,
    clock,
    table: productTable(),
    recordingsDir: folder.path,
    dataDir: folder.path,
  })
  const clients = await Promise.all(tickEncodings.map((encoding) => connect(venue.url, encoding)))
  const all = async (event: string, payload: unknown): Promise<void> => {
    await Promise.all(clients.map((client) => client.request(event, payload)))
  }
  try {
    await clock.advance(3000)
    await all('subscribe', { products: ids.slice(0, listed), mode: 'latest' })
    await all('subscribe', { products: ids.slice(listed), mode: 'all' })
    // The first heartbeats carry whole tickers.
    await clock.advance(2500)
    await all('clock', 0)
    for (const { received } of clients) received.clear()
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000)
      await all('clock', 0)
    }
  } finally {
    for (const client of clients) client.close()
    await venue.close()
    await database.close()
    await folder.remove()
  }
  const [absolute, delta] = clients.map(({ received }): MemberBytes => {
    received.delete('answer')
    const byEvent = Object.fromEntries([...received].map(([event, bytes]) => [event, bytes / seconds]))
    return { total: Object.values(byEvent).reduce((sum, bytes) => sum + bytes, 0), byEvent }
  }) as [MemberBytes, MemberBytes]
  return { absolute, delta }
}

const ids = Array.from({ length: listed + 1 }, (_, i) => `C${String(i).padStart(2, '0')}USDT`)

/** Prices between 0.5 and 60,000, as in a list of real products. */
const productTable = () =>
  ids.map((id, i) => ({
    id,
    code: id,
    names: { en: id },
    category: 'crypto',
    priceDecimals: i % 3 === 0 ? 2 : 4,
    durations: [{ seconds: 60, rateBp: 8000, min: '1.00', max: '500.00' }],
    maxTickGapMs: 15_000,
    entryTimeoutMs: 10_000,
    recommended: true,
    feed: { synthetic: { seed: i + 1, ticksPerSecond, start: [60_000, 2500, 0.5][i % 3], volatility: 0.5 } },
  }))

type ByteClient = {
  /** Bytes by event, and of answers. */
  received: Map<string, number>
  request: (event: string, payload: unknown) => Promise<void>
  close: () => void
}

async function connect(url: string, encoding: TickEncoding): Promise<ByteClient> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&ticks=${encoding}`,
  )
  const received = new Map<string, number>()
  let answered = (): void => undefined
  const connected = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      const event = /^42\["(\w+)"/.exec(text)?.[1] ?? 'answer'
      if (event === 'hello') resolve()
      if (text.startsWith('0')) socket.send('40')
      if (text.startsWith('2')) socket.send('3')
      if (text.startsWith('43')) answered()
      received.set(event, (received.get(event) ?? 0) + data.length + (data.length < 126 ? 2 : 4))
    })
  })
  await connected
  return {
    received,
    request: (event, payload) =>
      new Promise((resolve) => {
        answered = resolve
        socket.send(`421${JSON.stringify([event, payload])}`)
      }),
    close: () => socket.terminate(),
  }
}
