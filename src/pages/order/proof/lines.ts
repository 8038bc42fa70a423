import type { TFunction } from 'i18next'
import { assertNever } from '../../../../contract/brand.ts'
import type { Source } from '../../../../contract/products.ts'
import type { SettleTick } from '../../../../contract/settle.ts'
import type { Order } from '../../../../streams/index.ts'
import type { Format } from '../../../format.ts'
import { entryLimit } from '../../../../contract/settle.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { replayDay, sourceName } from '../../../features/market/source.ts'
import { resultText } from '../../../features/orders/orderLabels.ts'
import type {
  AgreedTermsCheck,
  ChainCheck,
  FillCheck,
  PayoutCheck,
  ProofReport,
  ResultCheck,
  TicksCheck,
} from '../../../proof/check.ts'
import type { CompleteProof } from '../../../proof/collect.ts'
import type { SourceCheck } from '../../../proof/source.ts'

export const lineNames = ['agreed', 'ticks', 'chain', 'source', 'entry', 'exit', 'result', 'payout'] as const
export type LineName = (typeof lineNames)[number]
/** One line of the checklist: the evidence, and what it was compared with. */
export type ProofLine = { name: LineName; ok: boolean; evidence: string; more: string[] }

type LineContext = { t: TFunction; format: Format; order: Order; proof: CompleteProof }

/** The checklist as texts. */
export function linesOf(report: ProofReport, context: LineContext): ProofLine[] {
  const { t, format, order, proof } = context
  const accepted = timeWithMs(format, order.acceptedAt)
  const closes = timeWithMs(format, order.closeAt)
  const limit = timeWithMs(format, entryLimit(order.terms, { ...order, amount: moneyOf(order.amount) }))
  const gaps = proof.gaps.map(
    ({ from, to }) => `${timeWithMs(format, from)} – ${to === null ? '…' : timeWithMs(format, to)}`,
  )
  return [
    {
      name: 'agreed',
      ok: report.agreed.ok,
      evidence: agreedText(report.agreed, context),
      more: [t('proof.agreedMore')],
    },
    {
      name: 'ticks',
      ok: report.ticks.ok,
      evidence: ticksText(report.ticks, context),
      more: gaps.length === 0 ? [t('proof.noGaps')] : [t('proof.gaps'), ...gaps],
    },
    {
      name: 'chain',
      ok: report.chain.ok,
      evidence: chainText(report.chain, context),
      more: chainMore(report.chain, context),
    },
    {
      name: 'source',
      ok: report.source.ok,
      evidence: sourceText(report.source, context),
      more: proof.sources.flatMap((source) => sourceMore(source, context)),
    },
    {
      name: 'entry',
      ok: report.entry.ok,
      evidence: fillText(report.entry, 'noEntry', context),
      more: [t('proof.entryRule', { from: accepted, to: limit }), ...bookedFill(report.entry, context)],
    },
    {
      name: 'exit',
      ok: report.exit.ok,
      evidence: fillText(report.exit, 'noExit', context),
      more: [t('proof.exitRule', { to: closes }), ...bookedFill(report.exit, context)],
    },
    {
      name: 'result',
      ok: report.result.ok,
      evidence: outcomeText(report.result, context),
      more: [t('proof.rule', { rule: proof.rule }), ...bookedResult(report.result, context)],
    },
    {
      name: 'payout',
      ok: report.payout.ok,
      evidence: payoutText(report.payout, context),
      more: bookedPayout(report.payout, context),
    },
  ]
}

/** A trade's instant to the millisecond: 14:20:36.412 */
export const timeWithMs = (format: Format, at: number): string =>
  `${format.time(at)}.${String(at % 1000).padStart(3, '0')}`

const countText = (format: Format, n: number): string => format.decimal(String(n))

function agreedText(check: AgreedTermsCheck, { t }: LineContext): string {
  if (!check.ok) return t('proof.agreedDiffers', { fields: check.differs.join(', ') })
  return t(check.held ? 'proof.agreedOk' : 'proof.agreedNone')
}

function ticksText(check: TicksCheck, { t, format }: LineContext): string {
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
      return t('proof.ticksGap', { time: timeWithMs(format, check.from) })
    default:
      return assertNever(check)
  }
}

function chainText(check: ChainCheck, { t, format }: LineContext): string {
  if (check.ok) {
    const hashes = t('proof.chainOk', {
      count: check.hashes,
      replace: { count: countText(format, check.hashes) },
    })
    return check.seen === 0 ? hashes : t('proof.chainSeen', { hashes, count: check.seen })
  }
  if (check.why === 'none') return t('proof.chainNone')
  if (check.why === 'truncated')
    return t('proof.chainCut', { seq: countText(format, check.seq), end: countText(format, check.end) })
  const at = { seq: countText(format, check.seq), sound: countText(format, check.sound) }
  return check.seenLive ? t('proof.chainSeenHash', at) : t('proof.chainHash', at)
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

function sourceText(check: SourceCheck, { t, format }: LineContext): string {
  if (!check.ok && check.why === 'none') return t('proof.sourceNone')
  if (!check.ok) return t('proof.sourceOther', { time: timeWithMs(format, check.changedAt) })
  return check.changedAt === null
    ? t('proof.sourceOk')
    : t('proof.sourceChanged', { time: timeWithMs(format, check.changedAt) })
}

function sourceMore({ sinceAt, text, fingerprint }: Source, { t, format }: LineContext): string[] {
  const name = sourceName(text) ?? text
  const day = replayDay(text)
  const source = day === undefined ? name : `${name} (${format.date(Date.parse(`${day}T12:00:00Z`))})`
  return [t('proof.sourceSince', { source, time: format.dateTime(sinceAt) }), fingerprint]
}

/** Both ends of a hash are enough to compare by eye; the file has it in full. */
const shortHash = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`

function tickText(tick: SettleTick, { t, format, order }: LineContext): string {
  const price = format.price(tick.price, order.terms.priceDecimals)
  return t('proof.tick', { seq: countText(format, tick.seq), time: timeWithMs(format, tick.at), price })
}

function fillText(check: FillCheck, none: 'noEntry' | 'noExit', context: LineContext): string {
  return check.expected === null ? context.t(`proof.${none}`) : tickText(check.expected, context)
}

function bookedFill({ ok, claimed }: FillCheck, { t, format, order }: LineContext): string[] {
  if (ok) return []
  const tick =
    claimed === null
      ? t('proof.nothing')
      : t('proof.tick', {
          seq: countText(format, claimed.seq),
          time: timeWithMs(format, claimed.at),
          price: format.price(claimed.price, order.terms.priceDecimals),
        })
  return [t('proof.booked', { tick })]
}

function outcomeText({ expected }: ResultCheck, { t, format, order }: LineContext): string {
  const { entry, exit, reason } = expected
  if (reason !== null) return t('proof.refund', { reason: t(`order.reason.${reason}`) })
  if (entry === null || exit === null) return t('proof.nothing')
  const at = (tick: SettleTick) => format.price(tick.price, order.terms.priceDecimals)
  const prices = { entry: at(entry), exit: at(exit) }
  if (exit.price === entry.price) return t('proof.level', prices)
  const isUp = order.direction === 'up'
  if (exit.price > entry.price) return t(isUp ? 'proof.aboveUp' : 'proof.aboveDown', prices)
  return t(isUp ? 'proof.belowUp' : 'proof.belowDown', prices)
}

function bookedResult({ ok, expected, claimed }: ResultCheck, { t }: LineContext): string[] {
  if (ok) return []
  return [t('proof.bookedResult', { expected: resultText(t, expected), claimed: resultText(t, claimed) })]
}

function payoutText({ expected }: PayoutCheck, { t, format, order }: LineContext): string {
  const payout = format.money(expected.payout)
  if (expected.status === 'won') {
    return t('proof.wonSum', { amount: format.money(order.amount), rate: format.rate(order.rateBp), payout })
  }
  return expected.status === 'lost' ? t('proof.lostSum', { payout }) : t('proof.backSum', { payout })
}

function bookedPayout({ ok, expected, claimed }: PayoutCheck, { t, format }: LineContext): string[] {
  if (ok) return []
  const booked = claimed.payout === null ? t('proof.nothing') : format.money(claimed.payout)
  return [t('proof.bookedPayout', { expected: format.money(expected.payout), claimed: booked })]
}
