import { numberedTrades, type Protocol, type Sink } from './protocol.ts'

type Message = {
  type: string
  product_id: string
  trade_id: number
  last_trade_id: number
  price: string
  size: string
  time: string
  message?: string
  reason?: string
  channels?: { name: string; product_ids?: string[] }[]
}

/**
 * Coinbase Exchange: the channel `matches`, and `heartbeat`, which has each product's newest trade every second. So a
 * missing trade is noticed even before the next one.
 */
export const coinbase = (override: string | null): Protocol => ({
  name: 'coinbase',
  ...numberedTrades,
  symbolsPerLine: 100,
  ping: 'frame',
  address: () => override ?? 'wss://ws-feed.exchange.coinbase.com',
  // A connection without a subscription is closed after five seconds.
  subscribe: (symbols) => [
    {
      text: JSON.stringify({ type: 'subscribe', product_ids: symbols, channels: ['matches', 'heartbeat'] }),
      symbols,
    },
  ],
  read: readMessage,
})

function readMessage(text: string, sink: Sink): void {
  const message = JSON.parse(text) as Message
  const { product_id: symbol } = message
  switch (message.type) {
    case 'match':
      return sink.tick({
        symbol,
        order: message.trade_id,
        sourceId: String(message.trade_id),
        sourceAt: Date.parse(message.time),
        price: message.price,
        size: message.size,
      })
    case 'last_match':
      return sink.newest(symbol, message.trade_id, message.price)
    case 'heartbeat':
      sink.newest(symbol, message.last_trade_id)
      return sink.alive(symbol)
    case 'subscriptions':
      // It lists all that the connection has subscribed to.
      return sink.joined(message.channels?.find(({ name }) => name === 'matches')?.product_ids ?? [])
    case 'error':
      return sink.rejected(`${message.message ?? ''} ${message.reason ?? ''}`.trim())
    default:
      return sink.unreadable(text)
  }
}
