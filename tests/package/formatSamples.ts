/** A few rows of a format, in the layout that its source publishes. All values are made up here; `samples/` has real ones. */
export type FormatSample = {
  /** As `convert` and docs/replay.md name it. */
  format: string
  text: string
  /** What `convert` makes of it. */
  rows: readonly string[]
  symbol?: string
}

const lines = (...of: string[]): string => `${of.join('\n')}\n`

const coinbaseTrade = (id: number, price: string, time: string): object => ({
  trade_id: id,
  side: 'sell',
  size: '0.01000000',
  price,
  time,
})

export const formatSamples: readonly FormatSample[] = [
  {
    format: 'Uptick recording',
    text: lines('ts_ms,price,size,bid,ask', '1704067200000,42000.1,0.01,,', '1704067200001,,,1.1,1.2'),
    rows: ['1704067200000,42000.1,0.01,,', '1704067200001,,,1.1,1.2'],
  },
  {
    format: 'Binance trades',
    text: lines(
      '5000,42000.10000000,0.01000000,420.00100000,1735689600000123,True,True',
      '5001,42000.20000000,0.50000000,21000.10000000,1735689600001999,False,True',
    ),
    rows: ['1735689600000,42000.1,0.01,,', '1735689600001,42000.2,0.5,,'],
  },
  {
    format: 'Binance trades',
    text: lines(
      'id,price,qty,quote_qty,time,is_buyer_maker',
      '5000,42000.1,0.010,420.001,1704067200000,true',
      '5001,42000.2,0.500,21000.1,1704067200005,false',
    ),
    rows: ['1704067200000,42000.1,0.01,,', '1704067200005,42000.2,0.5,,'],
  },
  {
    format: 'Binance aggTrades',
    text: lines(
      '900,42000.10000000,0.01000000,5000,5002,1735689600000123,True,True',
      '901,42000.20000000,0.50000000,5003,5003,1735689600001999,False,True',
    ),
    rows: ['1735689600000,42000.1,0.01,,', '1735689600001,42000.2,0.5,,'],
  },
  {
    format: 'Binance aggTrades',
    text: lines(
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker',
      '900,42000.1,0.010,4000000000,4000000002,1704067200000,true',
      '901,42000.2,0.500,4000000003,4000000003,1704067200005,false',
    ),
    rows: ['1704067200000,42000.1,0.01,,', '1704067200005,42000.2,0.5,,'],
  },
  {
    format: 'Binance bookTicker',
    text: lines(
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
      '700,42000.00,1.500,42000.10,2.000,1704067200000,1704067200003',
      '701,42000.10,1.000,42000.20,0.500,1704067200007,1704067200009',
    ),
    rows: ['1704067200000,,,42000,42000.1', '1704067200007,,,42000.1,42000.2'],
  },
  {
    format: 'tardis.dev trades',
    symbol: 'BTCUSDT',
    text: lines(
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      'binance,BTCUSDT,1704067200000123,1704067200004456,5000,sell,42000.1,0.01',
      'binance,BTCUSDT,1704067200001999,1704067200005456,5001,buy,42000.2,0.5',
    ),
    rows: ['1704067200000,42000.1,0.01,,', '1704067200001,42000.2,0.5,,'],
  },
  {
    format: 'tardis.dev quotes',
    symbol: 'BTCUSDT',
    text: lines(
      'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
      'binance,BTCUSDT,1704067200000123,1704067200004456,2,42000.1,42000,1.5',
      'binance,BTCUSDT,1704067200001999,1704067200005456,0.5,42000.2,42000.1,1',
    ),
    rows: ['1704067200000,,,42000,42000.1', '1704067200001,,,42000.1,42000.2'],
  },
  {
    format: 'Dukascopy ticks',
    text: lines(
      'Gmt time,Ask,Bid,AskVolume,BidVolume',
      '04.02.2019 00:00:00.123,1.14571,1.14567,0.75,1.5',
      '04.02.2019 00:00:01.005,1.14572,1.14568,1,1',
    ),
    rows: ['1549238400123,,,1.14567,1.14571', '1549238401005,,,1.14568,1.14572'],
  },
  {
    format: 'Dukascopy ticks',
    text: lines(
      'Local time,Ask,Bid,AskVolume,BidVolume',
      '04.02.2019 02:00:00.123 GMT+0200,1.14571,1.14567,0.75,1.5',
    ),
    rows: ['1549238400123,,,1.14567,1.14571'],
  },
  {
    format: 'Dukascopy ticks',
    text: lines('Time (EET),Ask,Bid,AskVolume,BidVolume', '2019.07.04 03:00:00.123,1.14571,1.14567,0.75,1.5'),
    rows: ['1562198400123,,,1.14567,1.14571'],
  },
  {
    // As duka and go-duka write them.
    format: 'Dukascopy ticks',
    text: lines('time,ask,bid,ask_volume,bid_volume', '2019-02-04 00:00:00.123,1.14571,1.14567,0.75,1.5'),
    rows: ['1549238400123,,,1.14567,1.14571'],
  },
  {
    format: 'Dukascopy ticks (dukascopy-node)',
    text: lines(
      'timestamp,askPrice,bidPrice,askVolume,bidVolume',
      '1549238400123,1.14571,1.14567,0.75,1.5',
      '1549238401005,1.14572,1.14568,1,1',
    ),
    rows: ['1549238400123,,,1.14567,1.14571', '1549238401005,,,1.14568,1.14572'],
  },
  {
    format: 'HistData ASCII ticks',
    text: lines('20190703 190000123,1.145670,1.145710,0', '20190703 190001005,1.145680,1.145720,0'),
    rows: ['1562198400123,,,1.14567,1.14571', '1562198401005,,,1.14568,1.14572'],
  },
  {
    format: 'TrueFX ticks',
    symbol: 'EUR/USD',
    text: lines(
      'EUR/USD,20190204 00:00:00.123,1.14567,1.14571',
      'EUR/USD,20190204 00:00:01.005,1.14568,1.14572',
    ),
    rows: ['1549238400123,,,1.14567,1.14571', '1549238401005,,,1.14568,1.14572'],
  },
  {
    format: 'Kraken trades (CSV)',
    text: lines('1688669597,30243.4,0.34507674', '1688669598.5,30243.5,0.1'),
    rows: ['1688669597000,30243.4,0.34507674,,', '1688669598500,30243.5,0.1,,'],
  },
  {
    format: 'Kraken trades (JSON)',
    text:
      '{"error":[],"result":{"XXBTZUSD":[["30243.40000","0.34507674",1688669597.8277369,"b","m","",61044952],' +
      '["30243.30000","0.00376960",1688669598.2804112,"s","l","",61044953]],"last":"1688669598280411200"}}',
    rows: ['1688669597827,30243.4,0.34507674,,', '1688669598280,30243.3,0.0037696,,'],
  },
  {
    format: 'Coinbase trades',
    // A page has the newest trade first.
    text: JSON.stringify([
      coinbaseTrade(75, '30000.20000000', '2023-07-06T18:53:18.280411Z'),
      coinbaseTrade(74, '30000.10000000', '2023-07-06T18:53:17.827736Z'),
    ]),
    rows: ['1688669597827,30000.1,0.01,,', '1688669598280,30000.2,0.01,,'],
  },
  {
    format: 'Deriv ticks_history',
    symbol: 'R_50',
    text: JSON.stringify({
      echo_req: { ticks_history: 'R_50', end: 'latest', style: 'ticks', count: 2 },
      history: { prices: [239.9641, 239.97], times: [1688669596, 1688669598] },
      msg_type: 'history',
      pip_size: 4,
    }),
    rows: ['1688669596000,239.9641,,,', '1688669598000,239.97,,,'],
  },
  {
    format: 'socket messages',
    symbol: 'BTCUSDT',
    text: lines(
      JSON.stringify({
        at: 1_700_000_000_009,
        raw: '{"stream":"btcusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":7,"p":"61000.50","q":"0.010","T":1700000000001}}',
      }),
    ),
    rows: ['1700000000001,61000.5,0.01,,'],
  },
]
