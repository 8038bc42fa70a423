import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../server/clock.ts'
import { exchangeNames, Exchanges } from '../../server/feed/live/exchanges.ts'
import type { ExchangeName } from '../../server/feed/live/exchanges.ts'
import type { Connection, ConnectionHandlers, Transport } from '../../server/feed/live/transport.ts'
import { systemRandom } from '../../server/random.ts'
import { sampleSymbols, speeches } from '../support/exchange/speech.ts'
import { median } from './row.ts'
import type { Row } from './row.ts'

const trades = 20_000
const burst = 5000
const rounds = 5

/**
 * P12: the processor time of a live feed for each trade, from the text of the message to the tick, with two lines that
 * carry the same trades; what 5,000 trades in one moment lose; the memory of a feed.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  const before = heapMb()
  for (const name of exchangeNames) {
    const costs: number[] = []
    let lost = 0
    let longestMs = 0
    for (let round = 0; round < rounds; round++) {
      const result = await feedTrades(name)
      costs.push(result.microseconds)
      lost += result.lost
      longestMs = Math.max(longestMs, result.burstMs)
    }
    const cost = median(costs)
    rows.push(
      {
        id: 'P12',
        what: `${name}: a trade on each of its lines`,
        value: cost,
        unit: 'µs',
        limit: '≤ 40',
        ok: cost <= 40,
      },
      {
        id: 'P12',
        what: `${name}: lost of ${burst} trades at once`,
        value: lost,
        unit: '',
        limit: '0',
        ok: lost === 0,
      },
      {
        id: 'P12',
        what: `${name}: ${burst} trades at once take`,
        value: longestMs,
        unit: 'ms',
        limit: '≤ 250',
        ok: longestMs <= 250,
      },
    )
  }
  const grown = heapMb() - before
  rows.push({ id: 'P12', what: 'five feeds, memory', value: grown, unit: 'MB', limit: '≤ 5', ok: grown <= 5 })
  return rows
}

async function feedTrades(
  name: ExchangeName,
): Promise<{ microseconds: number; lost: number; burstMs: number }> {
  const clock = systemClock()
  const symbol = sampleSymbols[name]
  const speech = speeches[name]
  const lines: ConnectionHandlers[] = []
  const transport: Transport = {
    socket: connect,
    stream: connect,
    get: () => new Promise(() => undefined),
  }
  function connect(_address: string, _headers: unknown, handlers: ConnectionHandlers): Connection {
    lines.push(handlers)
    setImmediate(() => handlers.opened())
    return { send: () => undefined, ping: () => handlers.ponged(), close: () => undefined }
  }
  const exchanges = new Exchanges({ urls: {}, oandaToken: 't', oandaAccount: '1' }, transport)
  const product = { id: 'P', exchange: name, symbol, priceDecimals: 2, sizeDecimals: 5 }
  const hours = { open: true, opensAt: null, closesAt: null }
  const feed = exchanges
    .source({ ...product, tradingHoursAt: () => hours })
    .open({ clock, random: systemRandom, warn: () => undefined })
  await feed.start()
  await pause(1300)
  const start = clock.now()
  const texts = Array.from({ length: trades + burst + 1 }, (_, i) =>
    // A quote needs an instant of its own.
    speech.trade({
      serial: i,
      id: i + 1,
      symbol,
      at: start - trades - burst + i,
      price: `${100 + (i % 7)}.25`,
      size: '0.125',
    }),
  )
  for (const line of lines) line.message(texts[0] ?? '')
  feed.committed(feed.read(clock.now()).coveredUntil)
  let taken = 0
  const take = (): void => {
    const { ticks, coveredUntil } = feed.read(clock.now() + 1)
    taken += ticks.length
    feed.committed(coveredUntil)
  }
  const startedAt = performance.now()
  for (let i = 1; i <= trades; i++) {
    for (const line of lines) line.message(texts[i] ?? '')
    if (i % 50 === 0) take()
  }
  const microseconds = ((performance.now() - startedAt) * 1000) / (trades * lines.length)
  const burstAt = performance.now()
  for (const line of lines) for (const text of texts.slice(trades + 1)) line.message(text)
  const burstMs = performance.now() - burstAt
  take()
  await feed.close()
  return { microseconds, lost: trades + burst - taken, burstMs }
}

function heapMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
