import { WebSocket } from 'ws'
import { openMemoryDatabase } from '../../server/db/open.ts'
import { manualClock } from '../support/manualClock.ts'
import { openWholeVenue, scratchFolder } from '../support/wholeVenue.ts'

const listed = 20
const ticksPerSecond = 20

/** Bytes a second that a member receives, by event, with the headers of WebSocket frames. */
export type MemberBytes = { total: number; byEvent: Record<string, number> }

/**
 * What one member receives per second with 20 products in a list and one open, each with 20 ticks a second. The venue's
 * own market and sockets, on virtual time.
 */
export async function memberBytes(seconds: number): Promise<MemberBytes> {
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
  const received: Record<string, number> = {}
  const client = await connect(
    venue.url,
    (event, bytes) => (received[event] = (received[event] ?? 0) + bytes),
  )
  try {
    await clock.advance(3000)
    await client.request('subscribe', { products: ids.slice(0, listed), mode: 'latest' })
    await client.request('subscribe', { products: ids.slice(listed), mode: 'all' })
    // The first heartbeats carry whole tickers.
    await clock.advance(2500)
    await client.request('clock', 0)
    for (const event of Object.keys(received)) delete received[event]
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000)
      await client.request('clock', 0)
    }
    delete received['answer']
  } finally {
    client.close()
    await venue.close()
    await database.close()
    await folder.remove()
  }
  const byEvent = Object.fromEntries(
    Object.entries(received).map(([event, bytes]) => [event, bytes / seconds]),
  )
  return { total: Object.values(byEvent).reduce((sum, bytes) => sum + bytes, 0), byEvent }
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
  request: (event: string, payload: unknown) => Promise<void>
  close: () => void
}

async function connect(url: string, onBytes: (event: string, bytes: number) => void): Promise<ByteClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
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
      onBytes(event, data.length + (data.length < 126 ? 2 : 4))
    })
  })
  await connected
  return {
    request: (event, payload) =>
      new Promise((resolve) => {
        answered = resolve
        socket.send(`421${JSON.stringify([event, payload])}`)
      }),
    close: () => socket.terminate(),
  }
}
