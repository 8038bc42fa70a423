/** A tick as [epoch ms, price, size, bid, ask], null where the source has none. */
export type SampleTick = [number, ...(number | null)[]]

const trade = (at: number, price: unknown, size?: unknown): SampleTick => [
  at,
  Number(price),
  size === undefined ? null : Number(size),
  null,
  null,
]
const quote = (at: number, bid: unknown, ask: unknown): SampleTick => [
  at,
  null,
  null,
  Number(bid),
  Number(ask),
]
const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(','))
const withoutHeader = (text: string): string[][] => linesOf(text).slice(1)
/** A column of seconds, ms or µs; what is less than a millisecond is cut off. */
const msOf = (column: unknown, perMs: number): number => Math.floor(Number(column) / perMs)
/** "20130101 22:00:00.295" or "20120201 000003660" → the epoch ms of that clock in UTC. */
function clockOf(text = ''): number {
  const digits = text.replaceAll(/\D/g, '')
  const part = (from: number, to: number): number => Number(digits.slice(from, to))
  const [year, month, day] = [part(0, 4), part(4, 6) - 1, part(6, 8)]
  return Date.UTC(year, month, day, part(8, 10), part(10, 12), part(12, 14), part(14, 17))
}
const fiveHoursMs = 5 * 3_600_000

type KrakenAnswer = { result: Record<string, [price: string, size: string, at: number][] | string> }
type CoinbaseTrade = { trade_id: number; time: string; price: string; size: string }
type DerivAnswer = { history: { prices: unknown[]; times: unknown[] } }

/** The ticks of a text in the columns that its source documents, read without the code of `convert`. */
export const sampleTicks: Record<string, (text: string) => SampleTick[]> = {
  'columns as given': (text) =>
    withoutHeader(text).map(([at, price, size]) => trade(msOf(at, 1), price, size)),
  'Binance trades': (text) =>
    linesOf(text).map(([, price, size, , at]) => trade(msOf(at, 1000), price, size)),
  'Binance aggTrades': (text) =>
    linesOf(text).map(([, price, size, , , at]) => trade(msOf(at, 1), price, size)),
  'Binance bookTicker': (text) =>
    withoutHeader(text).map(([, bid, , ask, , at]) => quote(msOf(at, 1), bid, ask)),
  'tardis.dev trades': (text) =>
    withoutHeader(text).map(([, , at, , , , price, size]) => trade(msOf(at, 1000), price, size)),
  'tardis.dev quotes': (text) =>
    withoutHeader(text).map(([, , at, , , ask, bid]) => quote(msOf(at, 1000), bid, ask)),
  'Dukascopy ticks': (text) =>
    // Its dates begin with the day.
    withoutHeader(text.replaceAll(/^(\d\d)\.(\d\d)\.(\d{4})/gm, '$3$2$1')).map(([at, ask, bid]) =>
      quote(clockOf(at), bid, ask),
    ),
  'Dukascopy ticks (dukascopy-node)': (text) =>
    withoutHeader(text).map(([at, ask, bid]) => quote(msOf(at, 1), bid, ask)),
  // Eastern Standard Time is five hours behind.
  'HistData ASCII ticks': (text) =>
    linesOf(text).map(([at, bid, ask]) => quote(clockOf(at) + fiveHoursMs, bid, ask)),
  'TrueFX ticks': (text) => linesOf(text).map(([, at, bid, ask]) => quote(clockOf(at), bid, ask)),
  'Kraken trades (CSV)': (text) =>
    linesOf(text).map(([at, price, size]) => trade(msOf(at, 0.001), price, size)),
  'Kraken trades (JSON)': (text) =>
    Object.values((JSON.parse(text) as KrakenAnswer).result)
      .flatMap((rows) => (typeof rows === 'string' ? [] : rows))
      .map(([price, size, at]) => trade(Math.floor(at * 1000), price, size)),
  'Coinbase trades': (text) =>
    (JSON.parse(text) as CoinbaseTrade[])
      .toSorted((a, b) => a.trade_id - b.trade_id)
      .map(({ time, price, size }) => trade(Date.parse(time), price, size)),
  'Deriv ticks_history': (text) => {
    const { prices, times } = (JSON.parse(text) as DerivAnswer).history
    return prices.map((price, i) => trade(Number(times[i]) * 1000, price))
  },
}
