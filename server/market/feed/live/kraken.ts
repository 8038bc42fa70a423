import { withoutExponent } from '../../../../contract/decimalText.ts'
import { numberedTrades, type Protocol, type Sink } from './protocol.ts'

type Trade = { symbol: string; price: string; qty: string; trade_id: number; timestamp: string }
type Message = {
  channel?: string
  type?: string
  data?: (Trade & { system?: string })[]
  symbol?: string
  method?: string
  success?: boolean
  error?: string
  result?: { channel: string; symbol: string }
}

/**
 * Kraken v2: the channel `trade`, which begins with the newest trades, and a heartbeat each second while nothing else is
 * sent. Prices are JSON numbers.
 */
export const kraken = (override: string | null): Protocol => ({
  name: 'kraken',
  ...numberedTrades,
  symbolsPerLine: 100,
  ping: { text: '{"method":"ping"}' },
  address: () => `${override ?? 'wss://ws.kraken.com'}/v2`,
  subscribe: (symbols) => [
    {
      text: JSON.stringify({
        method: 'subscribe',
        params: { channel: 'trade', symbol: symbols, snapshot: true },
      }),
      symbols,
    },
  ],
  read: readMessage,
})

function readMessage(text: string, sink: Sink): void {
  const message = JSON.parse(quoteDecimals(text)) as Message
  if (message.channel === 'trade') {
    if (message.type === 'snapshot') return readSnapshot(message.data ?? [], sink)
    for (const trade of message.data ?? []) readTrade(trade, sink)
    // A heartbeat is sent only if nothing else is, so a trade counts as a heartbeat of every symbol.
    return sink.alive()
  }
  if (message.channel === 'heartbeat') return sink.alive()
  if (message.channel === 'status') {
    const [{ system = 'unknown' } = {}] = message.data ?? []
    return sink.status(system, system === 'online')
  }
  if (message.method === 'subscribe') {
    if (message.success !== true) {
      const { error = 'without a reason', symbol = '' } = message
      return sink.rejected(error.includes(symbol) ? error : `${error} ${symbol}`)
    }
    if (message.result?.channel === 'trade') sink.joined([message.result.symbol])
  } else if (message.method !== 'pong') sink.unreadable(text)
}

function readTrade({ symbol, price, qty, trade_id: order, timestamp }: Trade, sink: Sink): void {
  const sourceAt = Date.parse(timestamp)
  sink.tick({ symbol, order, sourceId: String(order), sourceAt, price, size: qty })
}

/** The newest trades before the subscription: they show whether one was missed, but are not ticks. */
function readSnapshot(trades: readonly Trade[], sink: Sink): void {
  const newest = new Map<string, Trade>()
  for (const trade of trades) {
    if (trade.trade_id >= (newest.get(trade.symbol)?.trade_id ?? 0)) newest.set(trade.symbol, trade)
  }
  for (const { symbol, trade_id: order, price } of newest.values()) sink.newest(symbol, order, price)
}

const [space, point, zero, nine] = [' ', '.', '0', '9'].map((char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]
const decimalNames = ['"price":', '"qty":'] as const

/**
 * Makes strings of prices and sizes before they are parsed, since a float may not have the digits of the message. By hand,
 * because a pattern takes longer than parsing the message.
 */
function quoteDecimals(text: string): string {
  let quoted = ''
  let from = 0
  for (;;) {
    const [name, at] = nextDecimal(text, from)
    if (at < 0) return quoted + text.slice(from)
    let start = at + name.length
    while (text.charCodeAt(start) === space) start++
    let end = start
    while (isDecimalChar(text.charCodeAt(end))) end++
    const hasExponent = text[end] === 'e' || text[end] === 'E'
    const plain = hasExponent ? text.replaceAll(exponentsPattern, toPlain) : text
    if (plain !== text) return quoteDecimals(plain)
    const isNumber = end > start && !hasExponent
    quoted += isNumber ? `${text.slice(from, start)}"${text.slice(start, end)}"` : text.slice(from, end)
    from = end
  }
}

/** The name of the first price or size from `from` on, and where it is; −1 if there is none. */
function nextDecimal(text: string, from: number): [name: string, at: number] {
  const [price, qty] = [text.indexOf(decimalNames[0], from), text.indexOf(decimalNames[1], from)]
  return price >= 0 && (qty < 0 || price < qty) ? [decimalNames[0], price] : [decimalNames[1], qty]
}

const isDecimalChar = (char: number): boolean => (char >= zero && char <= nine) || char === point

const exponentsPattern = /("(?:price|qty)":\s*)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})(?=\s*[,}])/g
const toPlain = (_: string, before: string, whole: string, fraction: string | undefined, exponent: string) =>
  `${before}${withoutExponent(whole, fraction ?? '', Number(exponent))}`
