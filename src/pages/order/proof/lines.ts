import type { TFunction } from 'i18next'
import { assertNever, priceUnits } from '../../../../contract/brand.ts'
import type { Source } from '../../../../contract/products.ts'
import type { SettleTick } from '../../../../contract/settle.ts'
import type { Order } from '../../../../streams/index.ts'
import type { Format } from '../../../format.ts'
import { entryLimit } from '../../../../contract/settle.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { replayDay, sourceName } from '../../product/source.ts'
import { resultText } from '../words.ts'
import type {
  AgreedCheck,
  ChainCheck,
  FillCheck,
  PayoutCheck,
  ProofReport,
  ResultCheck,
  TicksCheck,
} from '../../../proof/check.ts'
import type { WholeProof } from '../../../proof/collect.ts'
import type { SourceCheck } from '../../../proof/source.ts'

export const lineNames = ['agreed', 'ticks', 'chain', 'source', 'entry', 'exit', 'result', 'payout'] as const
export type LineName = (typeof lineNames)[number]
/** One line of the checklist: what was found, and what it was held against. */
export type ProofLine = { name: LineName; ok: boolean; evidence: string; more: string[] }

type Words = { t: TFunction; format: Format; order: Order; proof: WholeProof }

/** The checklist in words. */
export function linesOf(report: ProofReport, words: Words): ProofLine[] {
  const { t, format, order, proof } = words
  const accepted = clock(format, order.acceptedAt)
  const closes = clock(format, order.closeAt)
  const limit = clock(format, entryLimit(order.terms, { ...order, amount: moneyOf(order.amount) }))
  const gaps = proof.gaps.map(
    ({ from, to }) => `${clock(format, from)} – ${to === null ? '…' : clock(format, to)}`,
  )
  return [
    {
      name: 'agreed',
      ok: report.agreed.ok,
      evidence: agreedText(report.agreed, words),
      more: [t('proof.agreedMore')],
    },
    {
      name: 'ticks',
      ok: report.ticks.ok,
      evidence: ticksText(report.ticks, words),
      more: gaps.length === 0 ? [t('proof.noGaps')] : [t('proof.gaps'), ...gaps],
    },
    {
      name: 'chain',
      ok: report.chain.ok,
      evidence: chainText(report.chain, words),
      more: chainMore(report.chain, words),
    },
    {
      name: 'source',
      ok: report.source.ok,
      evidence: sourceText(report.source, words),
      more: proof.sources.flatMap((source) => sourceMore(source, words)),
    },
    {
      name: 'entry',
      ok: report.entry.ok,
      evidence: fillText(report.entry, 'noEntry', words),
      more: [t('proof.entryRule', { from: accepted, to: limit }), ...bookedFill(report.entry, words)],
    },
    {
      name: 'exit',
      ok: report.exit.ok,
      evidence: fillText(report.exit, 'noExit', words),
      more: [t('proof.exitRule', { to: closes }), ...bookedFill(report.exit, words)],
    },
    {
      name: 'result',
      ok: report.result.ok,
      evidence: outcomeText(report.result, words),
      more: [t('proof.rule', { rule: proof.rule }), ...bookedResult(report.result, words)],
    },
    {
      name: 'payout',
      ok: report.payout.ok,
      evidence: payoutText(report.payout, words),
      more: bookedPayout(report.payout, words),
    },
  ]
}

/** A trade's instant to the millisecond: 14:20:36.412 */
export const clock = (format: Format, at: number): string =>
  `${format.time(at)}.${String(at % 1000).padStart(3, '0')}`

const count = (format: Format, n: number): string => format.decimal(String(n))

function agreedText(check: AgreedCheck, { t }: Words): string {
  if (!check.ok) return t('proof.agreedDiffers', { fields: check.differs.join(', ') })
  return t(check.held ? 'proof.agreedOk' : 'proof.agreedNone')
}

function ticksText(check: TicksCheck, { t, format }: Words): string {
  if (check.ok) return t('proof.ticksOk', { from: count(format, check.from), to: count(format, check.to) })
  switch (check.why) {
    case 'none':
      return t('proof.ticksNone')
    case 'hole':
      return t('proof.ticksHole', { seq: count(format, check.seq) })
    case 'order':
      return t('proof.ticksOrder', { seq: count(format, check.seq) })
    case 'price':
      return t('proof.ticksPrice', { seq: count(format, check.seq) })
    case 'late':
      return t('proof.ticksLate', { seq: count(format, check.seq) })
    case 'short':
      return t('proof.ticksShort', { seq: count(format, check.seq) })
    case 'gap':
      return t('proof.ticksGap', { time: clock(format, check.from) })
    default:
      return assertNever(check)
  }
}

function chainText(check: ChainCheck, { t, format }: Words): string {
  if (check.ok) {
    const hashes = t('proof.chainOk', {
      count: check.hashes,
      replace: { count: count(format, check.hashes) },
    })
    return check.seen === 0 ? hashes : t('proof.chainSeen', { hashes, count: check.seen })
  }
  if (check.why === 'none') return t('proof.chainNone')
  if (check.why === 'cut')
    return t('proof.chainCut', { seq: count(format, check.seq), end: count(format, check.end) })
  const at = { seq: count(format, check.seq), sound: count(format, check.sound) }
  return check.seenLive ? t('proof.chainSeenHash', at) : t('proof.chainHash', at)
}

function chainMore(check: ChainCheck, { t }: Words): string[] {
  if (check.ok)
    return [
      `${t('proof.before')} ${short(check.before.hash)}`,
      `${t('proof.after')} ${short(check.after.hash)}`,
    ]
  if (check.why !== 'hash') return []
  return [`${t('proof.expected')} ${short(check.expected)}`, `${t('proof.found')} ${short(check.found)}`]
}

function sourceText(check: SourceCheck, { t, format }: Words): string {
  if (!check.ok && check.why === 'none') return t('proof.sourceNone')
  if (!check.ok) return t('proof.sourceOther', { time: clock(format, check.changedAt) })
  return check.changedAt === null
    ? t('proof.sourceOk')
    : t('proof.sourceChanged', { time: clock(format, check.changedAt) })
}

function sourceMore({ sinceAt, text, fingerprint }: Source, { t, format }: Words): string[] {
  const name = sourceName(text) ?? text
  const day = replayDay(text)
  const source = day === undefined ? name : `${name} (${format.date(Date.parse(`${day}T12:00:00Z`))})`
  return [t('proof.sourceSince', { source, time: format.dateTime(sinceAt) }), fingerprint]
}

/** The ends of a hash are enough to compare by eye; the file has it whole. */
const short = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`

function tickText(tick: SettleTick, { t, format, order }: Words): string {
  const price = format.price(priceUnits(tick.price), order.terms.priceDecimals)
  return t('proof.tick', { seq: count(format, tick.seq), time: clock(format, tick.at), price })
}

function fillText(check: FillCheck, none: 'noEntry' | 'noExit', words: Words): string {
  return check.expected === null ? words.t(`proof.${none}`) : tickText(check.expected, words)
}

function bookedFill({ ok, claimed }: FillCheck, { t, format, order }: Words): string[] {
  if (ok) return []
  const tick =
    claimed === null
      ? t('proof.nothing')
      : t('proof.tick', {
          seq: count(format, claimed.seq),
          time: clock(format, claimed.at),
          price: format.price(claimed.price, order.terms.priceDecimals),
        })
  return [t('proof.booked', { tick })]
}

function outcomeText({ expected }: ResultCheck, { t, format, order }: Words): string {
  const { entry, exit, reason } = expected
  if (reason !== null) return t('proof.refund', { reason: t(`order.reason.${reason}`) })
  if (entry === null || exit === null) return t('proof.nothing')
  const at = (tick: SettleTick) => format.price(priceUnits(tick.price), order.terms.priceDecimals)
  const prices = { entry: at(entry), exit: at(exit) }
  if (exit.price === entry.price) return t('proof.level', prices)
  const up = order.direction === 'up'
  if (exit.price > entry.price) return t(up ? 'proof.aboveUp' : 'proof.aboveDown', prices)
  return t(up ? 'proof.belowUp' : 'proof.belowDown', prices)
}

function bookedResult({ ok, expected, claimed }: ResultCheck, { t }: Words): string[] {
  if (ok) return []
  return [t('proof.bookedResult', { expected: resultText(t, expected), claimed: resultText(t, claimed) })]
}

function payoutText({ expected }: PayoutCheck, { t, format, order }: Words): string {
  const payout = format.money(expected.payout)
  if (expected.status === 'won') {
    return t('proof.wonSum', { amount: format.money(order.amount), rate: format.rate(order.rateBp), payout })
  }
  return expected.status === 'lost' ? t('proof.lostSum', { payout }) : t('proof.backSum', { payout })
}

function bookedPayout({ ok, expected, claimed }: PayoutCheck, { t, format }: Words): string[] {
  if (ok) return []
  const booked = claimed.payout === null ? t('proof.nothing') : format.money(claimed.payout)
  return [t('proof.bookedPayout', { expected: format.money(expected.payout), claimed: booked })]
}
