import type { LiveProduct } from '../feed.ts'
import { Coverage } from './coverage.ts'
import type { ExchangeLog } from './exchangeLog.ts'
import type { Protocol } from './protocol.ts'

/** One product's part of an exchange. */
export type Subscription = Omit<LiveProduct, 'exchange'> & {
  readonly coverage: Coverage
  openingPrice: number | null
  /** To be called for each tick. */
  readonly heard: (now: number) => void
}

export function openSubscription(
  product: Omit<LiveProduct, 'exchange'>,
  { name, lines, isNumbered, limitMs }: Protocol,
  log: ExchangeLog,
  now: number,
): Subscription {
  const { id, symbol } = product
  const coverage = new Coverage(lines, {
    isNumbered,
    limitMs,
    startAt: now,
    count: (what, detail) => log.count(id, what, detail),
    resumed: (from, to, isGap) => log.resumed.add(id, { from, to, isGap }),
  })
  return { ...product, coverage, heard: log.quiet.watch(id, `${name} ${symbol}`, now), openingPrice: null }
}
