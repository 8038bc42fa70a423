import { epochMs } from '../../../contract/units.ts'
import type { Head, WireTick } from '../../../contract/chain.ts'
import { proofTicksMax, ticksPageMax } from '../../../contract/constants.ts'
import type { Order, Proof } from '../../../contract/orders.ts'
import { toRestTick, type RestTick, type Source } from '../../../contract/products.ts'
import { decidedFrom, overlaps } from '../../../contract/settle.ts'
import type { Market, PublicLog } from '../../market/index.ts'

type ProofParts = { market: Market; publicLog: Pick<PublicLog, 'prove'> }

/** Ticks before and after an order's time that show where it begins and ends. */
const marginTicks = 3

/**
 * What settled an order, for anyone to check: the chained ticks from three before {@link decidedFrom} to three after it
 * closed, with the heads before and after them, and the gaps and sources that overlap its time. If the public log has a
 * leaf for the order, the ticks reach at least to that leaf's head.
 */
export async function buildProof(
  { market, publicLog }: ProofParts,
  order: Order,
): Promise<Omit<Proof, 'receipt'>> {
  const { productId, acceptedAt, closeAt } = order
  const watermarkAt = market.watermark(productId)
  const gaps = (await market.gaps(productId)).filter((gap) => overlaps(gap, acceptedAt, closeAt))
  const overlapsOrder = (source: Source, i: number, all: readonly Source[]): boolean =>
    overlaps({ from: source.sinceAt, to: all[i + 1]?.sinceAt ?? null }, acceptedAt, closeAt)
  const seq = (await market.lastTick(productId, closeAt))?.seq ?? 0
  const proved = await publicLog.prove({ productId, closeAt, seq })
  // A head so far from the close is not worth the ticks up to it.
  const isNear = proved !== null && proved.head.seq - seq <= ticksPageMax
  const untilSeq = isNear ? proved.head.seq : 0
  const proofTicks = await ticksAround(market, productId, {
    from: decidedFrom(order.terms, order),
    closeAt,
    untilSeq,
  })
  return {
    order,
    rule: order.terms.rule,
    ...proofTicks,
    gaps,
    source: order.terms.source,
    sources: market.sources(productId).filter(overlapsOrder),
    watermarkAt: epochMs(watermarkAt),
    final: (proofTicks.ticks.at(-1)?.[1] ?? 0) > closeAt,
    log: isNear && (proofTicks.more || (proofTicks.after?.seq ?? 0) >= untilSeq) ? proved.log : null,
  }
}

type ProofTicks = {
  ticks: RestTick[]
  before: Head | null
  after: Head | null
  more: boolean
}

/** The ticks of a proof: from an instant to the order's close, and at least to the tick of this number if it is not 0. */
type ProofSpan = { from: number; closeAt: number; untilSeq: number }

async function ticksAround(
  market: Market,
  id: string,
  { from, closeAt, untilSeq }: ProofSpan,
): Promise<ProofTicks> {
  const last = await market.lastTick(id, from - 1)
  let afterSeq = Math.max(0, (last?.seq ?? 0) - marginTicks)
  let before: Head | null = null
  const ticks: WireTick[] = []
  let complete = false
  /** How many ticks the proof needs; more than there are while some are missing. */
  const needed = (): number => {
    const untilClose = ticks.findLastIndex((tick) => tick[1] <= closeAt) + 1
    return Math.max(untilClose + marginTicks, untilSeq - (before?.seq ?? 0))
  }
  while (!complete && ticks.length < proofTicksMax && ticks.length < needed()) {
    const page = await market.ticksAfter(id, afterSeq, Math.min(ticksPageMax, proofTicksMax - ticks.length))
    before ??= page.before
    ticks.push(...page.ticks)
    afterSeq = ticks.at(-1)?.[0] ?? afterSeq
    complete = page.complete || page.ticks.length === 0
  }
  const trimmed = ticks.slice(0, needed())
  const end = trimmed.at(-1)?.[0]
  // The head after the last tick is the head before the next one.
  const after = end === undefined ? before : (await market.ticksAfter(id, end, 1)).before
  const more = !complete && trimmed.length < needed()
  return { ticks: trimmed.map(toRestTick), before, after, more }
}
