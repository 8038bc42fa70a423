import type { TFunction } from 'i18next'
import { assertNever } from '../../../contract/units.ts'
import type { Source } from '../../../contract/products.ts'
import type { Order } from '../../../streams/index.ts'
import type { Format } from '../../text/format.ts'
import { formatUnits } from '../../../contract/price.ts'
import {
  entryFrom,
  entryLimit,
  isMean,
  riseOf,
  windowFrom,
  type MeanExit,
  type SettleTick,
} from '../../../contract/settle.ts'
import { namedSource } from '../market/source.ts'
import { fieldsText, resultText } from '../orders/orderLabels.ts'
import { shortHash } from './shortHash.ts'
import type { AgreedTermsCheck, ChainCheck, ProofReport } from '../../proof/check.ts'
import type { CompleteProof } from '../../proof/completeProof.ts'
import { markOf, type ProofLine } from './line.ts'
import { logLine } from './logLine.ts'
import { receiptLine } from './receiptLine.ts'

type LineContext = {
  t: TFunction
  format: Format
  order: Order
  proof: CompleteProof
  /** For an order that was not placed on this device only the file says what was agreed and seen. */
  isForeign?: boolean
}

/** Whether a proof states what nobody signs: a gap of the prices, or another source. */
export const hasInterruption = ({ gaps, sources }: Pick<CompleteProof, 'gaps' | 'sources'>): boolean =>
  gaps.length > 0 || sources.length > 1

/** The checklist as texts. */
export function linesOf(report: ProofReport, context: LineContext): ProofLine[] {
  const { t, format, order, proof } = context
  const from = timeWithMs(format, entryFrom(order.terms, order))
  const limit = timeWithMs(format, entryLimit(order.terms, order))
  const gaps = proof.gaps.map(
    ({ from, to }) => `${timeWithMs(format, from)} – ${to === null ? '…' : timeWithMs(format, to)}`,
  )
  return [
    context.isForeign ? fileLine(report.agreed, context) : agreedLine(report.agreed, context),
    receiptLine(report.receipt, context),
    {
      name: 'ticks',
      mark: markOf(report.ticks),
      evidence: ticksText(report.ticks, context),
      more: gaps.length === 0 ? [t('proof.noGaps')] : [t('proof.gaps'), ...gaps],
    },
    {
      name: 'chain',
      mark: markOf(report.chain),
      evidence: chainText(report.chain, context),
      more: chainMore(report.chain, context),
    },
    {
      name: 'source',
      mark: markOf(report.source),
      evidence: sourceText(report.source, context),
      more: proof.sources.flatMap((source) => sourceMore(source, context)),
    },
    logLine(report.log, context),
    {
      name: 'entry',
      mark: markOf(report.entry),
      evidence: report.entry.expected ? tickText(report.entry.expected, context) : t('proof.noEntry'),
      more: [t('proof.entryRule', { from, to: limit }), ...bookedFill(report.entry, context)],
    },
    {
      name: 'exit',
      ...(order.terms.rule === 'R2' && { title: t('proof.exitMean') }),
      mark: markOf(report.exit),
      evidence: exitText(report, context),
      more: [exitRule(context), ...bookedFill(report.exit, context)],
    },
    {
      name: 'result',
      mark: markOf(report.result),
      evidence: outcomeText(report.result, context),
      more: [
        t('proof.rule', { rule: order.terms.rule }),
        ...(order.terms.rule === 'R2' ? [t('proof.notRounded')] : []),
        ...bookedResult(report.result, context),
      ],
    },
    {
      name: 'payout',
      mark: markOf(report.payout),
      evidence: payoutText(report.payout, context),
      more: bookedPayout(report.payout, context),
    },
  ]
}

/** A trade's instant to the millisecond: 14:20:36.412 */
export const timeWithMs = (format: Format, at: number): string =>
  `${format.time(at)}.${String(at % 1000).padStart(3, '0')}`

const countText = (format: Format, n: number): string => format.decimal(String(n))

function agreedLine(check: AgreedTermsCheck, context: LineContext): ProofLine {
  const { t } = context
  const mark = markOf(check)
  return {
    name: 'agreed',
    ...(mark === 'unchecked' && { title: t('proof.agreedUnchecked') }),
    mark,
    evidence: agreedText(check, context),
    more: [t('proof.agreedMore')],
  }
}

/** A file that repeats its order alike shows nothing about what was agreed. */
const fileLine = (check: AgreedTermsCheck, { t, format }: LineContext): ProofLine => ({
  name: 'agreed',
  title: t('proof.agreedFile'),
  mark: markOf({ ok: check.ok, held: false }),
  evidence: check.ok
    ? t('proof.agreedFileSame')
    : t('proof.agreedFileDiffers', { fields: fieldsText(t, format, check.differs) }),
  more: [],
})

function agreedText(check: AgreedTermsCheck, { t, format }: LineContext): string {
  if (!check.ok) return t('proof.agreedDiffers', { fields: fieldsText(t, format, check.differs) })
  return t(check.held ? 'proof.agreedOk' : 'proof.agreedNone')
}

function ticksText(check: ProofReport['ticks'], { t, format, isForeign }: LineContext): string {
  if (check.ok)
    return t('proof.ticksOk', { from: countText(format, check.from), to: countText(format, check.to) })
  switch (check.why) {
    case 'none':
      return t('proof.ticksNone')
    case 'hole':
      return t('proof.ticksHole', { seq: countText(format, check.seq) })
    case 'order':
      return t('proof.ticksOrder', { seq: countText(format, check.seq) })
    case 'price':
      return t('proof.ticksPrice', { seq: countText(format, check.seq) })
    case 'late':
      return t('proof.ticksLate', { seq: countText(format, check.seq) })
    case 'short':
      return t('proof.ticksShort', { seq: countText(format, check.seq) })
    case 'gap':
      return t(isForeign ? 'proof.fileGap' : 'proof.ticksGap', { time: timeWithMs(format, check.from) })
    case 'added':
      return t(isForeign ? 'proof.fileAdded' : 'proof.ticksAdded', { seq: countText(format, check.seq) })
    default:
      return assertNever(check)
  }
}

function chainText(check: ChainCheck, { t, format, isForeign }: LineContext): string {
  if (check.ok) {
    const hashes = t('proof.chainOk', {
      count: check.hashes,
      replace: { count: countText(format, check.hashes) },
    })
    if (check.seen === 0) return hashes
    const ofDevice = check.live === check.seen
    return t(ofDevice ? 'proof.chainSeen' : 'proof.chainFile', { hashes, count: check.seen })
  }
  if (check.why === 'none') return t('proof.chainNone')
  if (check.why === 'truncated')
    return t(isForeign ? 'proof.chainFileCut' : 'proof.chainCut', {
      seq: countText(format, check.seq),
      end: countText(format, check.end),
    })
  const at = { seq: countText(format, check.seq), sound: countText(format, check.sound) }
  if (check.statedBy === 'file') return t('proof.chainFileHash', at)
  return check.statedBy === 'device' ? t('proof.chainSeenHash', at) : t('proof.chainHash', at)
}

function chainMore(check: ChainCheck, { t }: LineContext): string[] {
  if (check.ok)
    return [
      `${t('proof.before')} ${shortHash(check.before.hash)}`,
      `${t('proof.after')} ${shortHash(check.after.hash)}`,
    ]
  if (check.why !== 'hash') return []
  return [
    `${t('proof.expected')} ${shortHash(check.expected)}`,
    `${t('proof.found')} ${shortHash(check.found)}`,
  ]
}

function sourceText(check: ProofReport['source'], { t, format }: LineContext): string {
  if (!check.ok && check.why === 'none') return t('proof.sourceNone')
  if (!check.ok && check.why === 'terms') return t('proof.sourceTerms')
  if (!check.ok && check.why === 'sequence') return t('proof.sourceSequence')
  if (!check.ok) return t('proof.sourceOther', { time: timeWithMs(format, check.changedAt) })
  return check.changedAt === null
    ? `${t('proof.sourceOk')} · ${namedSource(check.source.text, { t, format })}`
    : t('proof.sourceChanged', { time: timeWithMs(format, check.changedAt) })
}

function sourceMore({ sinceAt, text, fingerprint }: Source, { t, format }: LineContext): string[] {
  const source = namedSource(text, { t, format })
  return [t('proof.sourceSince', { source, time: format.dateTime(sinceAt) }), fingerprint]
}

function tickText(tick: SettleTick | NonNullable<Order['entry']>, context: LineContext): string {
  const { t, format, order } = context
  const price = format.price(tick.price, order.terms.priceDecimals)
  return t('proof.tick', { seq: countText(format, tick.seq), time: timeWithMs(format, tick.at), price })
}

type WireMean = { value: string; ticks: number; from: number; to: number }

function meanText(mean: WireMean, { t, format, order }: LineContext): string {
  const { value, ticks, from, to } = mean
  const shown = {
    from: countText(format, from),
    to: countText(format, to),
    price: format.price(value, order.terms.priceDecimals + 1),
  }
  const all = to - from + 1
  if (ticks < all)
    return t('proof.meanMiddle', { ...shown, kept: countText(format, ticks), all: countText(format, all) })
  return t('proof.mean', { count: ticks, ...shown, replace: { ...shown, count: countText(format, ticks) } })
}

function exitText({ entry, exit }: ProofReport, context: LineContext): string {
  const { expected } = exit
  if (expected === null) return context.t(entry.expected === null ? 'proof.noExit' : 'proof.noMean')
  if (!isMean(expected)) return tickText(expected, context)
  return meanText(wireMeanOf(expected, context), context)
}

const wireMeanOf = (mean: MeanExit, { order }: LineContext): WireMean => ({
  ...mean,
  value: formatUnits(mean.value, order.terms.priceDecimals + 1),
})

function exitRule({ t, format, order }: LineContext): string {
  const { terms, closeAt } = order
  const to = timeWithMs(format, closeAt)
  if (terms.rule === 'R1') return t('proof.exitRule', { to })
  return t('proof.meanRule', {
    from: timeWithMs(format, windowFrom(terms, order)),
    to,
    cut: format.rate(terms.exitCutBp),
    min: countText(format, terms.exitMinTicks),
  })
}

function bookedFill({ ok, claimed }: ProofReport['entry' | 'exit'], context: LineContext): string[] {
  const { t } = context
  if (ok) return []
  if (claimed === null) return [t('proof.booked', { tick: t('proof.nothing') })]
  const text = 'value' in claimed ? meanText(claimed, context) : tickText(claimed, context)
  return [t('proof.booked', { tick: text })]
}

function outcomeText({ expected }: ProofReport['result'], context: LineContext): string {
  const { t, format, order } = context
  const { entry, exit, reason } = expected
  if (reason !== null) return t('proof.refund', { reason: t(`order.reason.${reason}`) })
  if (entry === null || exit === null) return t('proof.nothing')
  const { priceDecimals } = order.terms
  const exitPrice = isMean(exit) ? wireMeanOf(exit, context).value : exit.price
  const prices = {
    entry: format.price(entry.price, priceDecimals),
    exit: format.price(exitPrice, priceDecimals),
  }
  const rise = riseOf(entry, exit)
  if (rise === 0) return t('proof.level', prices)
  const isUp = order.direction === 'up'
  if (rise > 0) return t(isUp ? 'proof.aboveUp' : 'proof.aboveDown', prices)
  return t(isUp ? 'proof.belowUp' : 'proof.belowDown', prices)
}

function bookedResult({ ok, expected, claimed }: ProofReport['result'], { t }: LineContext): string[] {
  if (ok) return []
  return [t('proof.bookedResult', { expected: resultText(t, expected), claimed: resultText(t, claimed) })]
}

function payoutText({ expected }: ProofReport['payout'], { t, format, order }: LineContext): string {
  const payout = format.money(expected.payout)
  if (expected.status === 'won') {
    return t('proof.wonSum', { amount: format.money(order.amount), rate: format.rate(order.rateBp), payout })
  }
  return expected.status === 'lost' ? t('proof.lostSum', { payout }) : t('proof.backSum', { payout })
}

function bookedPayout(
  { ok, expected, claimed }: ProofReport['payout'],
  { t, format }: LineContext,
): string[] {
  if (ok) return []
  const booked = claimed.payout === null ? t('proof.nothing') : format.money(claimed.payout)
  return [t('proof.bookedPayout', { expected: format.money(expected.payout), claimed: booked })]
}
