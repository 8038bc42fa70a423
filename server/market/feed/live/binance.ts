import { numberedTrades, type Protocol, type Sink, type Subscribing } from './protocol.ts'

/** Two streams each. */
const symbolsPerMessage = 100

type Options = {
  name: string
  /** Base addresses: of the socket, and of the calls. */
  socketUrl: string
  callUrl: string
  /** Path of combined streams, and of the newest trades. */
  streamPath: string
  tradesPath: string
}

/**
 * Binance spot: `SYMBOL@trade`, whose numbers have no holes, and `SYMBOL@bookTicker` as a sign of life, since trades alone
 * pause for seconds. A connection may send five messages a second and ends after 24 hours.
 */
export const binance = (override: string | null): Protocol =>
  binanceProtocol({
    name: 'binance',
    socketUrl: override ?? 'wss://stream.binance.com:9443',
    callUrl: override?.replace(/^ws/, 'http') ?? 'https://api.binance.com',
    streamPath: '/stream',
    tradesPath: '/api/v3/trades',
  })

/** Both Binance markets, which differ only in addresses and in fills outside the market. */
export function binanceProtocol({ name, socketUrl, callUrl, streamPath, tradesPath }: Options): Protocol {
  return {
    name,
    ...numberedTrades,
    // 1,024 streams, two for each symbol.
    symbolsPerLine: 512,
    ping: 'frame',
    address: () => `${socketUrl}${streamPath}`,
    subscribe: (all, firstId) => {
      const messages: Subscribing[] = []
      for (let i = 0; i < all.length; i += symbolsPerMessage) {
        const symbols = all.slice(i, i + symbolsPerMessage)
        const params = symbols
          .map((symbol) => symbol.toLowerCase())
          .flatMap((symbol) => [`${symbol}@trade`, `${symbol}@bookTicker`])
        const id = firstId + messages.length
        messages.push({ text: JSON.stringify({ method: 'SUBSCRIBE', params, id }), symbols })
      }
      return messages
    },
    read: readMessage,
    snapshot: {
      isRepeated: false,
      symbolsPerCall: 1,
      address: ([symbol = '']) => `${callUrl}${tradesPath}?symbol=${symbol}&limit=1`,
      read: (text, [symbol = ''], sink) => {
        const [newest] = JSON.parse(text) as { id: number; price: string }[]
        if (newest) sink.newest(symbol, newest.id, newest.price)
      },
    },
  }
}

type Message = { stream?: string; data?: Event; e?: string; id?: number; result?: unknown; error?: unknown }
type Event = {
  e?: string
  s: string
  t: number
  p: string
  q: string
  T: number
  /** Futures: `MARKET`, or the kind of a fill outside the market. */
  X?: string
  /** bookTicker: its number. */
  u?: number
}

function readMessage(text: string, sink: Sink): void {
  const message = JSON.parse(text) as Message
  const event = message.data ?? (message as unknown as Event)
  if (event.e === 'trade') {
    sink.tick({
      symbol: event.s,
      order: event.t,
      sourceId: String(event.t),
      sourceAt: event.T,
      price: event.p,
      size: event.q,
      isOutsideMarket: event.X !== undefined && event.X !== 'MARKET',
    })
  } else if (event.u !== undefined) sink.alive()
  else if (event.e === 'serverShutdown') sink.endsSoon()
  else if (message.error !== undefined) {
    const error = JSON.stringify(message.error)
    if (typeof message.id === 'number') sink.answered(message.id, error)
    else sink.rejected(error)
  } else if (typeof message.id === 'number') sink.answered(message.id)
  else sink.unreadable(text)
}
