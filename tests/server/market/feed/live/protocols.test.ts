import { describe, expect, it } from 'vitest'
import { binance } from '../../../../../server/market/feed/live/binance.ts'
import { binanceUsdm } from '../../../../../server/market/feed/live/binanceUsdm.ts'
import { coinbase } from '../../../../../server/market/feed/live/coinbase.ts'
import { kraken } from '../../../../../server/market/feed/live/kraken.ts'
import { oanda } from '../../../../../server/market/feed/live/oanda.ts'
import type { Protocol, Sink } from '../../../../../server/market/feed/live/protocol.ts'

/** What a protocol reads in a message, as (method, arguments). */
function eventsOf(protocol: Protocol, text: string): unknown[] {
  const events: unknown[] = []
  const record =
    (name: string) =>
    (...args: unknown[]): void =>
      void events.push([name, ...args])
  const sink: Sink = {
    joined: record('joined'),
    answered: record('answered'),
    rejected: record('rejected'),
    status: record('status'),
    tick: record('tick'),
    newest: record('newest'),
    alive: record('alive'),
    endsSoon: record('endsSoon'),
    unreadable: record('unreadable'),
  }
  protocol.read(text, sink)
  return events
}
const snapshotOf = (protocol: Protocol, text: string, symbol: string): unknown[] => {
  const events: unknown[] = []
  protocol.snapshot?.read(text, [symbol], { newest: (...args) => void events.push(args) })
  return events
}

describe('Binance spot', () => {
  const protocol = binance(null)
  const trade =
    '{"stream":"ethusdt@trade","data":{"e":"trade","E":1723161255612,"s":"ETHUSDT","t":1520538925,"p":"2683.80000000","q":"0.00200000","T":1723161255611,"m":true,"M":true}}'

  it('reads trades, combined or raw, with the digits of price and size', () => {
    const tick = {
      symbol: 'ETHUSDT',
      order: 1_520_538_925,
      sourceId: '1520538925',
      sourceAt: 1_723_161_255_611,
      price: '2683.80000000',
      size: '0.00200000',
      isOutsideMarket: false,
    }
    expect(eventsOf(protocol, trade)).toEqual([['tick', tick]])
    expect(eventsOf(protocol, JSON.stringify((JSON.parse(trade) as { data: unknown }).data))).toEqual([
      ['tick', tick],
    ])
  })

  it('takes the best bid and ask as a sign of life, and pings every second with a frame', () => {
    const book =
      '{"stream":"ethusdt@bookTicker","data":{"u":35346513501,"s":"ETHUSDT","b":"2683.80","B":"3.0","a":"2683.81","A":"31.4"}}'
    expect(eventsOf(protocol, book)).toEqual([['alive']])
    expect(protocol).toMatchObject({ ping: 'frame', limitMs: 2000, isNumbered: true, lines: 2 })
  })

  it('subscribes to both streams of each symbol, at most 1,024 on a connection', () => {
    const [message] = protocol.subscribe(['BTCUSDT'], 1)
    expect(JSON.parse(message?.text ?? '')).toMatchObject({
      method: 'SUBSCRIBE',
      params: ['btcusdt@trade', 'btcusdt@bookTicker'],
    })
    expect(protocol.symbolsPerLine * 2).toBeLessThanOrEqual(1024)
    expect(protocol.address(['BTCUSDT'])).toBe('wss://stream.binance.com:9443/stream')
  })

  it('knows by its id which subscription is confirmed or rejected', () => {
    const all = Array.from({ length: 512 }, (_, i) => `S${i}`)
    const messages = protocol.subscribe(all, 7)
    const ids = messages.map(({ text }) => (JSON.parse(text) as { id: number }).id)
    expect(ids).toEqual([7, 8, 9, 10, 11, 12])
    expect(messages.flatMap(({ symbols }) => symbols)).toEqual(all)
    expect(eventsOf(protocol, '{"result":null,"id":8}')).toEqual([['answered', 8]])
    expect(eventsOf(protocol, '{"error":{"code":2,"msg":"Invalid"},"id":8}')).toEqual([
      ['answered', 8, '{"code":2,"msg":"Invalid"}'],
    ])
    expect(eventsOf(protocol, '{"error":{"code":2,"msg":"Invalid"}}')).toEqual([
      ['rejected', '{"code":2,"msg":"Invalid"}'],
    ])
  })

  it('hears that the exchange will close the connection', () => {
    expect(eventsOf(protocol, '{"e":"serverShutdown","E":1770123456789}')).toEqual([['endsSoon']])
  })

  it('asks for the newest trade on the host of an override', () => {
    const local = binance('ws://127.0.0.1:9000')
    expect(local.address([])).toBe('ws://127.0.0.1:9000/stream')
    expect(local.snapshot?.address(['BTCUSDT'])).toBe(
      'http://127.0.0.1:9000/api/v3/trades?symbol=BTCUSDT&limit=1',
    )
    expect(
      snapshotOf(local, '[{"id":28457,"price":"4.00000100","qty":"12.0","time":1499865549590}]', 'BTCUSDT'),
    ).toEqual([['BTCUSDT', 28_457, '4.00000100']])
  })
})

describe('Binance USD-M', () => {
  const protocol = binanceUsdm(null)
  const trade = (kind: string): string =>
    `{"stream":"btcusdt@trade","data":{"e":"trade","E":1721347022956,"T":1721347022956,"s":"BTCUSDT","t":5182005737,"p":"63943.90","q":"0.003","X":"${kind}","m":true}}`

  it('reads trades, and marks fills outside the market, whose numbers count', () => {
    expect(eventsOf(protocol, trade('MARKET'))).toMatchObject([
      ['tick', { order: 5_182_005_737, price: '63943.90', isOutsideMarket: false }],
    ])
    expect(eventsOf(protocol, trade('INSURANCE_FUND'))).toMatchObject([['tick', { isOutsideMarket: true }]])
  })

  it('uses the addresses for public streams', () => {
    expect(protocol.address([])).toBe('wss://fstream.binance.com/public/stream')
    expect(protocol.snapshot?.address(['BTCUSDT'])).toBe(
      'https://fapi.binance.com/fapi/v1/trades?symbol=BTCUSDT&limit=1',
    )
    expect(protocol.name).toBe('binance-usdm')
  })
})

describe('Coinbase Exchange', () => {
  const protocol = coinbase(null)

  it('reads matches, with the instant in ms', () => {
    const text =
      '{"type":"match","trade_id":10,"sequence":50,"maker_order_id":"a","taker_order_id":"b","time":"2014-11-07T08:19:27.028459Z","product_id":"BTC-USD","size":"5.23512","price":"400.23","side":"sell"}'
    expect(eventsOf(protocol, text)).toEqual([
      [
        'tick',
        {
          symbol: 'BTC-USD',
          order: 10,
          sourceId: '10',
          sourceAt: Date.UTC(2014, 10, 7, 8, 19, 27, 28),
          price: '400.23',
          size: '5.23512',
        },
      ],
    ])
  })

  it('compares the newest number with each heartbeat before it counts as a sign of life', () => {
    const text =
      '{"type":"heartbeat","sequence":90,"last_trade_id":20,"product_id":"BTC-USD","time":"2014-11-07T08:19:28.464459Z"}'
    expect(eventsOf(protocol, text)).toEqual([
      ['newest', 'BTC-USD', 20],
      ['alive', 'BTC-USD'],
    ])
  })

  it('subscribes at once to both channels, and takes the last match as a snapshot only', () => {
    expect(JSON.parse(protocol.subscribe(['BTC-USD', 'ETH-USD'], 1)[0]?.text ?? '')).toEqual({
      type: 'subscribe',
      product_ids: ['BTC-USD', 'ETH-USD'],
      channels: ['matches', 'heartbeat'],
    })
    expect(eventsOf(protocol, '{"type":"subscriptions","channels":[]}')).toEqual([['joined', []]])
    const both =
      '{"type":"subscriptions","channels":[{"name":"heartbeat"},{"name":"matches","product_ids":["A-B"]}]}'
    expect(eventsOf(protocol, both)).toEqual([['joined', ['A-B']]])
    expect(
      eventsOf(
        protocol,
        '{"type":"last_match","trade_id":9,"product_id":"BTC-USD","price":"400.10","size":"1","time":"2014-11-07T08:19:27.028459Z"}',
      ),
    ).toEqual([['newest', 'BTC-USD', 9, '400.10']])
    expect(eventsOf(protocol, '{"type":"error","message":"Failed to subscribe","reason":"unknown"}')).toEqual(
      [['rejected', 'Failed to subscribe unknown']],
    )
  })
})

describe('Kraken v2', () => {
  const protocol = kraken(null)
  const trades = (type: string, list: string): string =>
    `{"channel":"trade","type":"${type}","data":[${list}]}`
  const trade = (price: string, qty: string, id = 4_665_906): string =>
    `{"symbol":"MATIC/USD","side":"sell","price":${price},"qty":${qty},"ord_type":"market","trade_id":${id},"timestamp":"2023-09-25T07:49:37.708706Z"}`
  const digitsOf = (price: string, qty: string): unknown => {
    const [event] = eventsOf(protocol, trades('update', trade(price, qty))) as [
      string,
      { price: string; size: string },
    ][]
    return [event?.[1].price, event?.[1].size]
  }

  it('reads the digits of JSON numbers, which no float keeps', () => {
    expect(digitsOf('0.5147', '6423.46326')).toEqual(['0.5147', '6423.46326'])
    expect(digitsOf('105944.20', '0.10')).toEqual(['105944.20', '0.10'])
    expect(digitsOf('12345678901234.123456789', '1')).toEqual(['12345678901234.123456789', '1'])
    expect(digitsOf('1e-05', '2.5E-7')).toEqual(['0.00001', '0.00000025'])
    expect(digitsOf('1.5e3', '12e0')).toEqual(['1500.0', '12'])
    // Beyond what any price has: it stays a number, and is dropped as an invalid tick.
    expect(digitsOf('1e999', '2e-05')).toEqual([Number.POSITIVE_INFINITY, '0.00002'])
  })

  it('reads each trade of a message, which also counts as a heartbeat', () => {
    const events = eventsOf(
      protocol,
      trades('update', `${trade('1.5', '2')},${trade('1.6', '3', 4_665_907)}`),
    )
    expect(events).toMatchObject([
      ['tick', { order: 4_665_906 }],
      ['tick', { order: 4_665_907, price: '1.6' }],
      ['alive'],
    ])
    expect(eventsOf(protocol, '{"channel":"heartbeat"}')).toEqual([['alive']])
  })

  it('takes the snapshot as evidence and not as ticks', () => {
    const text = trades('snapshot', `${trade('1.5', '2', 7)},${trade('1.7', '2', 9)},${trade('1.6', '2', 8)}`)
    expect(eventsOf(protocol, text)).toEqual([['newest', 'MATIC/USD', 9, '1.7']])
  })

  it('subscribes with a snapshot, symbol by symbol confirmed, and pings by message', () => {
    expect(JSON.parse(protocol.subscribe(['BTC/USD'], 1)[0]?.text ?? '')).toEqual({
      method: 'subscribe',
      params: { channel: 'trade', symbol: ['BTC/USD'], snapshot: true },
    })
    expect(
      eventsOf(
        protocol,
        '{"method":"subscribe","result":{"channel":"trade","snapshot":true,"symbol":"BTC/USD"},"success":true}',
      ),
    ).toEqual([['joined', ['BTC/USD']]])
    expect(
      eventsOf(
        protocol,
        '{"method":"subscribe","success":false,"error":"Currency pair not supported XXX/USD"}',
      ),
    ).toEqual([['rejected', 'Currency pair not supported XXX/USD']])
    expect(protocol.ping).toEqual({ text: '{"method":"ping"}' })
    expect(eventsOf(protocol, '{"method":"pong","time_in":"x"}')).toEqual([])
    expect(protocol.address([])).toBe('wss://ws.kraken.com/v2')
  })

  it('says when the exchange is in maintenance, and which symbol it refuses', () => {
    const status = (system: string): string =>
      `{"channel":"status","type":"update","data":[{"system":"${system}","api_version":"v2","connection_id":1,"version":"2.0.0"}]}`
    expect(eventsOf(protocol, status('maintenance'))).toEqual([['status', 'maintenance', false]])
    expect(eventsOf(protocol, status('online'))).toEqual([['status', 'online', true]])
    const refusal =
      '{"error":"Currency pair not supported","method":"subscribe","success":false,"symbol":"OLD/USD"}'
    expect(eventsOf(protocol, refusal)).toEqual([['rejected', 'Currency pair not supported OLD/USD']])
  })
})

describe('OANDA v20', () => {
  const protocol = oanda(null, 'token', '101-004-1-001')
  const price = (bid: string, ask: string, tradeable = true): string =>
    `{"type":"PRICE","time":"2016-10-07T19:16:29.923456789Z","bids":[{"price":"${bid}","liquidity":10000000}],"asks":[{"price":"${ask}","liquidity":10000000}],"tradeable":${tradeable},"instrument":"EUR_USD"}`

  it('reads the exact middle of bid and ask, with the time as its id', () => {
    expect(eventsOf(protocol, price('1.11430', '1.11443'))).toEqual([
      [
        'tick',
        {
          symbol: 'EUR_USD',
          order: Date.UTC(2016, 9, 7, 19, 16, 29, 923),
          sourceId: '2016-10-07T19:16:29.923456789Z',
          sourceAt: Date.UTC(2016, 9, 7, 19, 16, 29, 923),
          price: '1.114365000',
          size: '0',
          isOutsideMarket: false,
        },
      ],
      ['alive'],
    ])
  })

  it('keeps no price at which nobody can trade, or without a bid or an ask', () => {
    expect(eventsOf(protocol, price('1.1', '1.2', false))).toMatchObject([
      ['tick', { isOutsideMarket: true }],
      ['alive'],
    ])
    expect(
      eventsOf(
        protocol,
        '{"type":"PRICE","time":"2016-10-07T19:16:29Z","bids":[],"asks":[],"instrument":"EUR_USD"}',
      ),
    ).toMatchObject([['tick', { price: '' }], ['alive']])
  })

  it('takes the heartbeat as a sign of life for 7 seconds, on one stream', () => {
    expect(eventsOf(protocol, '{"type":"HEARTBEAT","time":"2016-10-07T19:16:29Z"}')).toEqual([
      ['joined'],
      ['alive'],
    ])
    expect(protocol).toMatchObject({ lines: 1, limitMs: 7000, isNumbered: false, kind: 'stream' })
  })

  it('asks each second for the same prices, with the token, at the host of the account', () => {
    expect(protocol.headers).toEqual({ authorization: 'Bearer token' })
    expect(protocol.address(['EUR_USD', 'USD_JPY'])).toBe(
      'https://stream-fxpractice.oanda.com/v3/accounts/101-004-1-001/pricing/stream?instruments=EUR_USD%2CUSD_JPY',
    )
    expect(oanda(null, 't', '001-1').snapshot?.address(['EUR_USD'])).toBe(
      'https://api-fxtrade.oanda.com/v3/accounts/001-1/pricing?instruments=EUR_USD',
    )
    expect(protocol.snapshot?.isRepeated).toBe(true)
    expect(snapshotOf(protocol, `{"prices":[${price('1.1', '1.2')}]}`, 'EUR_USD')).toEqual([
      ['EUR_USD', Date.UTC(2016, 9, 7, 19, 16, 29, 923), '1.150000000'],
    ])
  })
})

it.each([binance(null), binanceUsdm(null), coinbase(null), kraken(null), oanda(null, 't', 'a')])(
  'a message that is not what $name sends is unreadable, and never a tick',
  (protocol) => {
    for (const text of ['', '{', 'null', '[]', '{"type":"surprise"}', '{"e":"trade","E":17']) {
      let events: unknown[][] = [['unreadable']]
      try {
        events = eventsOf(protocol, text) as unknown[][]
      } catch {
        // The exchange counts it as unreadable.
      }
      expect(events.map(([name]) => name)).toEqual(['unreadable'])
    }
  },
)
