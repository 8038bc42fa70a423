import type { Gap } from '../../../contract/settle.ts'
import { statusGapsMax, type ProductReport, type ProductState } from '../../../contract/status.ts'
import { priceProblemOf } from '../../../contract/orderCheck.ts'
import type { RefundsOfCause, Market, ProductSettings } from '../../market/index.ts'
import { sharesOf, type Outcomes } from './outcomes.ts'

/** The instants that a report covers: after `from`, up to `at`. */
export type Period = { from: number; at: number }

/** The gaps that reach into a period, oldest first. One that ends at its beginning does not. */
export const gapsIn = (gaps: readonly Gap[], { from }: Period): Gap[] =>
  gaps.filter(({ to }) => to === null || to > from)

/**
 * @param gaps those of the period
 * @param refunds at least those of these gaps and of the sources of the period, of this product
 */
export function productReportOf(
  market: Market,
  settings: ProductSettings,
  period: Period,
  gaps: readonly Gap[],
  refunds: readonly RefundsOfCause[],
  outcomes: Outcomes | undefined,
): ProductReport {
  const { id, code, names, witness } = settings
  const refundedBy = (cause: RefundsOfCause['cause'], at: number): number =>
    refunds.find((each) => each.cause === cause && each.at === at)?.refundedOrders ?? 0
  const sources = market.sources(id)
  const first = sources.findLastIndex(({ sinceAt }) => sinceAt <= period.from)
  const reported = {
    sources: sources.slice(Math.max(0, first)).map((source) => {
      // Before the period there is one source at most, and its orders were refunded then.
      const isWithin = source.sinceAt > period.from
      return { ...source, refundedOrders: isWithin ? refundedBy('source', source.sinceAt) : 0 }
    }),
    gaps: gaps.map((gap) => ({ ...gap, refundedOrders: refundedBy('gap', gap.from) })).toReversed(),
  }
  return {
    id,
    code,
    names,
    state: stateOf(market, settings, period.at),
    opensAt: market.ticker(id).opensAt,
    head: market.head(id),
    sources: reported.sources,
    ...(witness && { witness: { id: witness.id, verdict: market.witnessVerdict(id) } }),
    gapCount: gaps.length,
    gapMs: gaps.reduce((sum, gap) => sum + lengthIn(gap, period), 0),
    gaps: reported.gaps.slice(0, statusGapsMax),
    refundedOrders: [...reported.sources, ...reported.gaps].reduce(
      (sum, each) => sum + each.refundedOrders,
      0,
    ),
    outcomes: outcomes === undefined ? null : sharesOf(outcomes),
  }
}

function stateOf(market: Market, settings: ProductSettings, now: number): ProductState {
  const { status } = market.tradingHours(settings.id)
  return status === 'open' && priceProblemOf(market, settings, now) !== null ? 'paused' : status
}

const lengthIn = (gap: Gap, { from, at }: Period): number =>
  Math.max(0, (gap.to ?? at) - Math.max(gap.from, from))
