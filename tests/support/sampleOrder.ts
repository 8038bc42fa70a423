import { epochMs } from '../../contract/units.ts'
import type { Order } from '../../streams/index.ts'

/** An accepted order for 10.00 on product A, with changes. */
export function sampleOrder(part: Partial<Order> = {}): Order {
  return {
    id: 'o1',
    no: '1',
    key: 'key-1',
    productId: 'A',
    direction: 'up',
    amount: '10.00',
    seconds: 30,
    rateBp: 8500,
    terms: {
      rule: 'R1',
      priceDecimals: 2,
      rateBp: 8500,
      entryTimeoutMs: 10_000,
      maxTickGapMs: 15_000,
      source: 'test',
    },
    status: 'accepted',
    acceptedAt: epochMs(1_000_000),
    closeAt: epochMs(1_030_000),
    entry: null,
    exit: null,
    settledAt: null,
    payout: null,
    pnl: null,
    reason: null,
    version: 1,
    ...part,
  }
}
