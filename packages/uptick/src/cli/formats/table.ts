import { coinbaseRows } from '../coinbaseHistory.ts'
import { krakenTrades } from '../krakenHistory.ts'
import { dukascopyBi5 } from './bi5.ts'
import { csvFormat } from './csv.ts'
import { derivRows } from './deriv.ts'
import type { Format } from './format.ts'
import { calendarIn, epochIn } from './instants.ts'
import { jsonFormat, tradesOf } from './json.ts'
import { messages } from './messages.ts'
import { ownRecording } from './own.ts'

const [milliseconds, microseconds, seconds] = [
  epochIn('milliseconds'),
  epochIn('microseconds'),
  epochIn('seconds'),
]
/** Spot files of Binance are in µs since 2025, all others in ms. */
const binanceInstant = epochIn('milliseconds', 'microseconds')

/** This many trades of an unsorted file take about 200 MB. */
const newestFirstMax = 500_000

/** Every layout of recorded prices that is recognised, one entry each. docs/replay.md has a row of each. */
export const formats: readonly Format[] = [
  ownRecording,
  csvFormat({
    name: 'Binance trades',
    columns: ['order', 'price', 'size', 'number', 'time', 'flag', 'flag'],
    fewest: 6,
    header: 'id,price,qty,quote_qty,time,is_buyer_maker',
    example: '5000,42000.10,0.01,420.00,1704067200000,True,True',
    instant: () => binanceInstant,
  }),
  csvFormat({
    name: 'Binance aggTrades',
    columns: ['order', 'price', 'size', 'id', 'id', 'time', 'flag', 'flag'],
    fewest: 7,
    header: 'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker',
    example: '900,42000.10,0.01,5000,5002,1704067200000,True,True',
    instant: () => binanceInstant,
  }),
  csvFormat({
    name: 'Binance bookTicker',
    columns: ['order', 'bid', 'number', 'ask', 'number', 'time', 'id'],
    header: 'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
    example: '700,42000.00,1.5,42000.10,2.0,1704067200000,1704067200003',
    instant: () => binanceInstant,
  }),
  csvFormat({
    name: 'tardis.dev trades',
    columns: ['text', 'symbol', 'time', 'id', 'text', 'text', 'price', 'size'],
    header: 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
    example: 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
    instant: () => microseconds,
  }),
  csvFormat({
    name: 'tardis.dev quotes',
    columns: ['text', 'symbol', 'time', 'id', 'number', 'ask', 'bid', 'number'],
    header: 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
    example: 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
    instant: () => microseconds,
  }),
  csvFormat({
    name: 'Dukascopy ticks',
    columns: ['time', 'ask', 'bid', 'number', 'number'],
    header: [
      'Gmt time,Ask,Bid,AskVolume,BidVolume',
      'Local time,Ask,Bid,AskVolume,BidVolume',
      'Time (UTC),Ask,Bid,AskVolume,BidVolume',
      'Time (EET),Ask,Bid,AskVolume,BidVolume',
      'time,ask,bid,ask_volume,bid_volume',
    ],
    onlyWithHeader: true,
    example: 'Gmt time,Ask,Bid,AskVolume,BidVolume',
    instant: (header) => calendarIn(header.includes('(EET)') ? 'EET' : 'UTC'),
  }),
  csvFormat({
    name: 'Dukascopy ticks (dukascopy-node)',
    columns: ['time', 'ask', 'bid', 'number', 'number'],
    fewest: 3,
    header: ['timestamp,askPrice,bidPrice,askVolume,bidVolume', 'timestamp,askPrice,bidPrice'],
    onlyWithHeader: true,
    example: 'timestamp,askPrice,bidPrice,askVolume,bidVolume',
    instant: () => milliseconds,
  }),
  dukascopyBi5,
  csvFormat({
    name: 'HistData ASCII ticks',
    columns: ['time', 'bid', 'ask', 'number'],
    example: '20190204 000000123,1.14567,1.14571,0',
    // Its files are in Eastern Standard Time all year.
    instant: () => calendarIn('-05:00'),
  }),
  csvFormat({
    name: 'TrueFX ticks',
    columns: ['symbol', 'time', 'bid', 'ask'],
    example: 'EUR/USD,20190201 00:00:00.033,1.14484,1.14488',
    instant: () => calendarIn('UTC'),
  }),
  csvFormat({
    name: 'Kraken trades (CSV)',
    columns: ['time', 'price', 'size'],
    // Many files have these three columns: in seconds they are Kraken's.
    isUnitSure: true,
    example: '1688669597,30243.4,0.34507674',
    instant: () => seconds,
  }),
  jsonFormat(
    'Kraken trades (JSON)',
    ['error', 'result'],
    '{"error":[],"result":{"XXBTZUSD":[[…',
    tradesOf(krakenTrades),
  ),
  jsonFormat(
    'Coinbase trades',
    ['trade_id', 'price', 'size', 'time'],
    '[{"trade_id":1,"side":"sell","size":"0.01","price":"30000.00","time":"2023-07-06T18:53:17.827Z"},…',
    tradesOf(coinbaseRows, newestFirstMax),
  ),
  jsonFormat(
    'Deriv ticks_history',
    ['history', 'prices'],
    '{"history":{"prices":[1.5],"times":[1700000000]}}',
    derivRows,
  ),
  messages,
]

/** The format of a file that is no text, by its name. */
export const binaryFormat = (path: string): Format | undefined =>
  formats.find(({ file }) => file?.test(path) === true)

/** The format of which a text is, or is most like; `likeness` 1 is that it is of it. */
export function nearestFormat(start: string): { format: Format; likeness: number } {
  const [first, ...others] = formats.map((format) => ({ format, likeness: format.likeness(start) }))
  if (first === undefined) throw new Error('no formats')
  return others.reduce((best, each) => (each.likeness > best.likeness ? each : best), first)
}
