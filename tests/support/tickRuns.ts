import { priceUnits, epochMs } from '../../contract/units.ts'
import type { Quote, TickRun } from '../../streams/index.ts'

/** A run of ticks, one each second from second `seq0` on; without prices, the start of a sequence. */
export const runOfPrices = (seq0: number, ...prices: number[]): TickRun => ({
  seq0,
  values: prices.flatMap((price, i) => [(seq0 + i) * 1000, price, 1]),
})

export const sampleQuote = (price: number, part: Partial<Quote> = {}): Quote => ({
  id: 'A',
  price: priceUnits(price),
  at: epochMs(1_010_000),
  seq: 5,
  priceDecimals: 2,
  move: 'level',
  ticker: {
    id: 'A',
    last: '1.00',
    lastAt: epochMs(1),
    change24hBp: 0,
    high24h: '1.00',
    low24h: '1.00',
    volume24h: '0',
    amount24h: '0.00',
    status: 'open',
    opensAt: null,
    closesAt: null,
  },
  feed: 'live',
  witness: undefined,
  stale: false,
  ...part,
})
