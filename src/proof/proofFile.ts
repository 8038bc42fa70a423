import type { ChainVersion } from '../../contract/chain.ts'
import type { AgreedTerms } from '../state/agreedTerms.ts'
import type { StoredHead } from '../state/evidence.ts'
import type { CompleteProof } from './completeProof.ts'

export const proofFormat = 'uptick-order-proof'
export const proofVersion = 1

/** How ticks are hashed, as the file states it; the app's page "How to check a result" has it in ten languages. */
const chain = {
  hash: 'SHA-256 of UTF-8 text, as 64 lower-case hexadecimal characters',
  first: 'hash(0) = SHA256(productId)',
  next: 'hash(seq) = SHA256(hash(seq-1) + "|" + productId + "|" + seq + "|" + at + "|" + price + "|" + size)',
  live: 'a tick of a live source has six elements, and its text ends with + "|" + sourceId + "|" + sourceAt',
}

const payoutStep =
  'won: payout = amount + floor(amount * rateBp / 10000) in cents; lost: 0; tied: amount; pnl = payout - amount'
const refundStep =
  'refunded (payout = amount), the first that applies: SOURCE_CHANGED, FEED_DOWN, NO_ENTRY, ONE_TICK, STALE_EXIT'
const sourceStep =
  'SOURCE_CHANGED: one of sources with a fingerprint other than terms.source, from its sinceAt to the next one, overlaps (acceptedAt, closeAt]; closeAt is then its sinceAt for entry and exit, but not before acceptedAt'
const overlapStep = 'a gap overlaps (a, b] if from < b and (to is null or to > a)'

const r1Steps = [
  'limit = min(acceptedAt + entryTimeoutMs, closeAt)',
  'entry = the first tick with acceptedAt < at <= limit',
  'exit = the last tick with at <= closeAt, none if there is no entry',
  'up wins if exit > entry, down wins if exit < entry, equal is a tie',
  payoutStep,
  refundStep,
  sourceStep,
  'FEED_DOWN: a gap overlaps (acceptedAt, entry.at], or (acceptedAt, limit] without an entry, or (exit.at, closeAt]',
  overlapStep,
  'NO_ENTRY: no entry; ONE_TICK: exit.seq = entry.seq; STALE_EXIT: closeAt - exit.at > maxTickGapMs',
]

const r2Steps = [
  'limit = min(acceptedAt + entryDelayMs + entryTimeoutMs, closeAt)',
  'entry = the first tick with acceptedAt + entryDelayMs < at <= limit',
  'window = the n ticks with closeAt - exitWindowMs < at <= closeAt',
  'if n >= exitMinTicks: sort their prices, leave out floor(n * exitCutBp / 10000) at each end; m prices with the sum S are left',
  'if n < exitMinTicks: of the ticks after the entry with at <= closeAt the newest exitMinTicks, without those with closeAt - at > maxTickGapMs; m prices with the sum S',
  'exit.value = S / m rounded half up to one decimal more than a price; exit.ticks = m; exit.from, exit.to = the first and last tick before any price is left out; no exit if m = 0 or there is no entry',
  'up wins if S > entry * m, down wins if S < entry * m, equal is a tie; the rounded value decides nothing',
  payoutStep,
  refundStep,
  sourceStep,
  'FEED_DOWN: a gap overlaps (acceptedAt, entry.at], or (acceptedAt, limit] without an entry, or (closeAt - exitWindowMs, closeAt]',
  overlapStep,
  'NO_ENTRY: no entry; ONE_TICK: no tick after the entry with at <= closeAt; STALE_EXIT: no exit',
]

export type ProofFileParts = {
  proof: CompleteProof
  heads: readonly StoredHead[]
  agreed: AgreedTerms | null
  /** The one that this device kept; without it the file has that of the proof. */
  receipt?: string | null
  /** The venue's time. */
  savedAt: number
}

/** 2 for ticks of a live source, whose id and instant are hashed too. */
const chainVersionOf = ({ ticks }: CompleteProof): ChainVersion =>
  ticks.some((tick) => tick.length > 4) ? 2 : 1

/** What a check reads of an exported proof. */
export function checkedFields({ proof, heads, agreed, receipt, savedAt }: ProofFileParts) {
  const { order, rule, ...rest } = proof
  return {
    format: proofFormat,
    version: proofVersion,
    savedAt,
    rule: { name: rule, terms: order.terms },
    order,
    agreed,
    ...rest,
    receipt: receipt ?? proof.receipt,
    heads: heads.map(({ seq, hash, watermark, seenAt, from }) => ({
      seq,
      hash,
      watermarkAt: watermark,
      seenAt,
      from,
    })),
  }
}

/** The exported proof: everything a program needs to recompute the result, and the evidence on this device. */
export function proofFile(parts: ProofFileParts) {
  const { format, version, savedAt, rule, ...rest } = checkedFields(parts)
  return {
    format,
    version,
    savedAt,
    chain: { version: chainVersionOf(parts.proof), ...chain },
    rule: { ...rule, steps: rule.name === 'R2' ? r2Steps : r1Steps },
    ...rest,
  }
}
export type ProofFile = ReturnType<typeof proofFile>
