import type { ExchangeName } from '../../../server/market/feed/live/exchanges.ts'

/** A trade that the exchange made. `serial` counts them; `id` may start again. */
export type Trade = {
  serial: number
  id: number
  symbol: string
  /** As the exchange stamps it: see `offMs`. */
  at: number
  price: string
  size: string
  /** How far its instant is off the exchange's clock, by a fault. */
  offMs?: number
}

/** What an exchange of ours writes, and how it answers; written from the exchanges' documents, not from our adapters. */
export type Speech = {
  transport: 'socket' | 'stream'
  /** How often the exchange sends market data other than trades, in ms. */
  contentEveryMs: number
  /** It says so before it closes a connection for maintenance. */
  hasShutdownEvent: boolean
  isNumbered: boolean
  trade(trade: Trade): string
  content(symbol: string, newest: Trade | undefined, at: number): string
  /** One unknown symbol makes it refuse the whole message. */
  refusesWhole: boolean
  /** It closes a connection that has not subscribed within this time. */
  subscribeWithinMs: number
  /** The symbols that a message of the client subscribes to. */
  asked(text: string): string[]
  /** The refusal of a whole message, with the symbol because of which, if it is named. */
  refusal(text: string, symbol: string | null): string
  /** Answers to a message of the client, and the symbols that it subscribes to. */
  receive(
    text: string,
    newest: (symbol: string) => readonly Trade[],
    isKnown: (symbol: string) => boolean,
  ): { replies: string[]; subscribes: string[]; isPing: boolean }
  /** The symbols that the address of a connection subscribes to. */
  inAddress(path: string): string[]
  call(path: string, newest: (symbol: string) => Trade | undefined, at: number): string | null
}

const iso = (at: number): string => new Date(at).toISOString()
const nothing = { replies: [], subscribes: [], isPing: false }
/** The symbols of a call or of the address of a connection. */
export const symbolsOf = (path: string): string[] =>
  (queryOf(path).get('symbol') ?? queryOf(path).get('instruments') ?? '').split(',')
const queryOf = (path: string): URLSearchParams => new URL(path, 'http://exchange').searchParams

function binance(prefix: string, isFutures: boolean): Speech {
  const wrap = (stream: string, data: string): string => `{"stream":"${stream}","data":${data}}`
  return {
    transport: 'socket',
    contentEveryMs: 200,
    hasShutdownEvent: true,
    isNumbered: true,
    trade: ({ id, symbol, at, price, size }) =>
      wrap(
        `${symbol.toLowerCase()}@trade`,
        `{"e":"trade","E":${at + 1},"s":"${symbol}","t":${id},"p":"${price}","q":"${size}","T":${at},${isFutures ? '"X":"MARKET",' : ''}"m":true}`,
      ),
    content: (symbol, newest, at) =>
      wrap(
        `${symbol.toLowerCase()}@bookTicker`,
        `{"u":${at},"s":"${symbol}","b":"${newest?.price ?? '1.00'}","B":"1.0","a":"${newest?.price ?? '1.00'}","A":"2.0"}`,
      ),
    refusesWhole: false,
    subscribeWithinMs: Number.POSITIVE_INFINITY,
    asked: (text) => binanceAsked(text).symbols,
    refusal: (text, symbol) =>
      `{"error":{"code":2,"msg":"Invalid request${symbol === null ? '' : `: ${symbol}`}"},"id":${binanceAsked(text).id}}`,
    // It subscribes to what it does not know, too.
    receive: (text) => {
      const { symbols: subscribes, id } = binanceAsked(text)
      return { replies: [`{"result":null,"id":${id}}`], subscribes, isPing: false }
    },
    inAddress: () => [],
    call: (path, newest) => {
      if (!path.startsWith(`${prefix}/trades?`)) return null
      const trade = newest(queryOf(path).get('symbol') ?? '')
      return trade
        ? `[{"id":${trade.id},"price":"${trade.price}","qty":"${trade.size}","time":${trade.at}}]`
        : '[]'
    },
  }
}

function binanceAsked(text: string): { symbols: string[]; id: number } {
  const { params, id } = JSON.parse(text) as { params: string[]; id: number }
  const trades = params.filter((each) => each.endsWith('@trade'))
  return { symbols: trades.map((each) => each.split('@')[0]!.toUpperCase()), id }
}

const coinbaseAsked = (text: string): string[] => (JSON.parse(text) as { product_ids: string[] }).product_ids
const coinbase: Speech = {
  transport: 'socket',
  contentEveryMs: 1000,
  hasShutdownEvent: false,
  isNumbered: true,
  trade: ({ id, symbol, at, price, size }) => coinbaseMatch('match', id, symbol, at, price, size),
  content: (symbol, newest, at) =>
    `{"type":"heartbeat","last_trade_id":${newest?.id ?? 0},"product_id":"${symbol}","sequence":${at},"time":"${iso(at)}"}`,
  refusesWhole: true,
  subscribeWithinMs: 5000,
  asked: coinbaseAsked,
  refusal: (_text, symbol) =>
    `{"type":"error","message":"Failed to subscribe","reason":"${symbol ?? 'this'} is not a valid product"}`,
  receive: (text, newest) => {
    const subscribes = coinbaseAsked(text)
    const replies = subscribes.flatMap((symbol) => {
      const trade = newest(symbol).at(-1)
      return trade ? [coinbaseMatch('last_match', trade.id, symbol, trade.at, trade.price, trade.size)] : []
    })
    return {
      replies: [
        `{"type":"subscriptions","channels":[{"name":"matches","product_ids":${JSON.stringify(subscribes)}}]}`,
        ...replies,
      ],
      subscribes,
      isPing: false,
    }
  },
  inAddress: () => [],
  call: () => null,
}
const coinbaseMatch = (
  type: string,
  id: number,
  symbol: string,
  at: number,
  price: string,
  size: string,
): string =>
  `{"type":"${type}","trade_id":${id},"maker_order_id":"a","taker_order_id":"b","side":"buy","size":"${size}","price":"${price}","product_id":"${symbol}","sequence":${id * 3},"time":"${iso(at).replace('Z', '459Z')}"}`

const krakenAsked = (text: string): string[] =>
  (JSON.parse(text) as { params?: { symbol: string[] } }).params?.symbol ?? []
const kraken: Speech = {
  transport: 'socket',
  contentEveryMs: 1000,
  hasShutdownEvent: false,
  isNumbered: true,
  trade: (trade) => krakenTrades('update', [trade]),
  content: () => '{"channel":"heartbeat"}',
  refusesWhole: false,
  subscribeWithinMs: Number.POSITIVE_INFINITY,
  asked: krakenAsked,
  refusal: (_text, symbol) =>
    `{"error":"Currency pair not supported${symbol === null ? '' : ` ${symbol}`}","method":"subscribe","success":false}`,
  receive: (text, newest, isKnown) => {
    if ((JSON.parse(text) as { method: string }).method === 'ping')
      return { ...nothing, replies: ['{"method":"pong","time_in":"x"}'], isPing: true }
    const asked = krakenAsked(text)
    const subscribes = asked.filter(isKnown)
    const refusals = asked
      .filter((symbol) => !isKnown(symbol))
      .map(
        (symbol) =>
          `{"error":"Currency pair not supported ${symbol}","method":"subscribe","success":false,"symbol":"${symbol}"}`,
      )
    const acks = subscribes.map(
      (symbol) =>
        `{"method":"subscribe","result":{"channel":"trade","snapshot":true,"symbol":"${symbol}"},"success":true}`,
    )
    const snapshots = subscribes.flatMap((symbol) => {
      const trades = newest(symbol)
      return trades.length > 0 ? [krakenTrades('snapshot', trades)] : []
    })
    return { replies: [...refusals, ...acks, ...snapshots], subscribes, isPing: false }
  },
  inAddress: () => [],
  call: () => null,
}
const krakenTrades = (type: string, trades: readonly Trade[]): string =>
  `{"channel":"trade","type":"${type}","data":[${trades
    .map(
      ({ id, symbol, at, price, size }) =>
        `{"symbol":"${symbol}","side":"buy","price":${price},"qty":${size},"ord_type":"market","trade_id":${id},"timestamp":"${iso(at)}"}`,
    )
    .join(',')}]}`

const oandaPrice = (symbol: string, at: number, price: string, tradeable = true): string =>
  `{"type":"PRICE","time":"${iso(at).replace('Z', '000000Z')}","bids":[{"price":"${price}","liquidity":1000000}],"asks":[{"price":"${price}","liquidity":1000000}],"closeoutBid":"${price}","closeoutAsk":"${price}","status":"tradeable","tradeable":${tradeable},"instrument":"${symbol}"}`
const oanda: Speech = {
  transport: 'stream',
  contentEveryMs: 5000,
  hasShutdownEvent: false,
  isNumbered: false,
  trade: ({ symbol, at, price }) => oandaPrice(symbol, at, price),
  content: (_symbol, _newest, at) => `{"type":"HEARTBEAT","time":"${iso(at)}"}`,
  // What it does not know is refused with the address.
  refusesWhole: true,
  subscribeWithinMs: Number.POSITIVE_INFINITY,
  asked: () => [],
  refusal: () => '',
  receive: () => nothing,
  inAddress: (path) => queryOf(path).get('instruments')?.split(',') ?? [],
  call: (path, newest, at) => {
    if (!/\/v3\/accounts\/[\w-]+\/pricing\?/.test(path)) return null
    const prices = (queryOf(path).get('instruments') ?? '').split(',').flatMap((symbol) => {
      const trade = newest(symbol)
      return trade ? [oandaPrice(symbol, trade.at, trade.price)] : []
    })
    return `{"time":"${iso(at)}","prices":[${prices.join(',')}]}`
  },
}

export const speeches: Record<ExchangeName, Speech> = {
  binance: binance('/api/v3', false),
  'binance-usdm': binance('/fapi/v1', true),
  coinbase,
  kraken,
  oanda,
}

/** Another symbol of each exchange. */
export const otherSymbols: Record<ExchangeName, string> = {
  binance: 'ETHUSDT',
  'binance-usdm': 'ETHUSDT',
  coinbase: 'ETH-USD',
  kraken: 'ETH/USD',
  oanda: 'GBP_USD',
}

/** A symbol of each exchange. */
export const sampleSymbols: Record<ExchangeName, string> = {
  binance: 'BTCUSDT',
  'binance-usdm': 'BTCUSDT',
  coinbase: 'BTC-USD',
  kraken: 'BTC/USD',
  oanda: 'EUR_USD',
}
