import { genesis, linkHash, type Head, type WireTick } from '../../contract/chain.ts'
import { fillOf, wireExitOf } from '../../contract/fills.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { Order } from '../../contract/orders.ts'
import { parsePrice } from '../../contract/price.ts'
import { onOwnSource, settle, type Exit, type Settlement, type SettleTick } from '../../contract/settle.ts'
import { secondMs } from '../../contract/time.ts'
import type { SeenHead } from '../../streams/index.ts'
import type { AgreedTerms } from '../state/agreedTerms.ts'
import type { CompleteProof } from './completeProof.ts'
import { checkSource, type SourceCheck } from './source.ts'
import { disprovedGap } from './disprovedGap.ts'
import { checkLog, loggedHead, type LogCheck, type LogKeys } from './log.ts'
import { checkReceipt, headOfReceipt, type ReceiptCheck, type ReceiptEvidence } from './receipt.ts'

export type TicksCheck =
  | { ok: true; from: number; to: number; count: number }
  | { ok: false; why: 'none' }
  | { ok: false; why: 'hole' | 'order' | 'price'; seq: number }
  /** The first tick is after the order's acceptance, and is not the product's first. */
  | { ok: false; why: 'late'; seq: number }
  /** The ticks end before the order does, and no watermark covers the rest. */
  | { ok: false; why: 'short'; seq: number }
  /** The venue claims a gap over time that this device received watermarks for. */
  | { ok: false; why: 'gap'; from: number }
  /** A tick was added later to a time up to which this device had every tick. */
  | { ok: false; why: 'added'; seq: number }

/**
 * Who stated a head: the proof itself, its leaf of the public log, its receipt, this device or the one that exported the file
 * while the order ran, a file that says so, the venue when it was asked now, or a list from elsewhere; `rule`: hash(0)
 * follows from the product.
 */
export type HeadOrigin = 'proof' | 'log' | 'receipt' | 'device' | 'file' | 'venue' | 'elsewhere' | 'rule'
/** A head to compare with; without `statedBy` a device received it. */
export type ComparedHead = SeenHead & { statedBy?: 'file' | 'venue' | 'elsewhere' }

export type ChainCheck =
  /** Of the `seen` heads that match, a device received `live`. */
  | { ok: true; before: Head; after: Head; hashes: number; seen: number; live: number }
  | { ok: false; why: 'none' }
  /** The venue's log ends before a head stored on this device. */
  | { ok: false; why: 'truncated'; seq: number; end: number }
  /** The recomputed hash differs from a head. Correct up to `sound`. */
  | {
      ok: false
      why: 'hash'
      seq: number
      expected: string
      found: string
      statedBy: HeadOrigin
      sound: number
    }

/** Whether the proof's order has the agreed terms; `held` is false if this device has not stored them. */
export type AgreedTermsCheck = { ok: true; held: boolean } | { ok: false; differs: (keyof AgreedTerms)[] }

export type EntryCheck = { ok: boolean; expected: SettleTick | null; claimed: Order['entry'] }
/** The exit by rule R1 is a tick, by R2 a mean. */
export type ExitCheck = { ok: boolean; expected: Exit | null; claimed: Order['exit'] }
export type ResultCheck = { ok: boolean; expected: Settlement; claimed: Pick<Order, 'status' | 'reason'> }
export type PayoutCheck = { ok: boolean; expected: Settlement; claimed: Pick<Order, 'payout' | 'pnl'> }

/** What is checked, in the order in which it is shown and in which the first failure is named. */
export const proofSteps = [
  'agreed',
  'receipt',
  'ticks',
  'chain',
  'source',
  'log',
  'entry',
  'exit',
  'result',
  'payout',
] as const
export type ProofStep = (typeof proofSteps)[number]

/** The lines of the checklist, each with its evidence. */
export type ProofReport = {
  agreed: AgreedTermsCheck
  receipt: ReceiptCheck
  ticks: TicksCheck
  chain: ChainCheck
  source: SourceCheck
  log: LogCheck
  entry: EntryCheck
  exit: ExitCheck
  result: ResultCheck
  payout: PayoutCheck
  ok: boolean
}

/** Hashes computed without a pause (a few ms on a phone), so that the page can render. */
const chunkHashes = 400

/** What the proof is compared with, as far as this device has it. */
export type ProofEvidence = {
  agreed: AgreedTerms | null
  heads: readonly ComparedHead[]
  /** Without them the signature of the public log is not verified. */
  logKeys?: LogKeys | undefined
  /** Without keys every receipt is signed by one that is not known. */
  receipt?: ReceiptEvidence | undefined
}

/**
 * Checks a settled order on this device: that its terms are the agreed ones, that no tick is missing, that the ticks
 * hash from the first head to the last and through every head seen live, that one source set the prices, and that the
 * order's rule yields the entry, exit, result and payout that the venue booked. `pause` lets the page render between chunks.
 */
export async function checkProof(
  proof: CompleteProof,
  { agreed: storedTerms, heads: seen, logKeys, receipt: receiptEvidence = { keys: [] } }: ProofEvidence,
  pause: () => Promise<void>,
): Promise<ProofReport> {
  const { order } = proof
  const agreedCheck = checkAgreed(order, storedTerms)
  const receipt = await checkReceipt(proof.receipt, order, receiptEvidence)
  const ticks = checkTicks(proof, seen)
  const chain = await checkChain(proof, seen, pause)
  const source = checkSource(proof)
  const log = await checkLog(proof, logKeys)
  const amount = moneyOf(order.amount)
  const expected = settle(
    order.terms,
    { direction: order.direction, amount, acceptedAt: order.acceptedAt, closeAt: order.closeAt },
    settleTicks(proof),
    proof.gaps,
    proof.sources,
  )
  const { priceDecimals } = order.terms
  const booked = {
    entry: expected.entry && fillOf(expected.entry, priceDecimals),
    exit: expected.exit && wireExitOf(expected.exit, priceDecimals),
  }
  const entry = { ok: isEqual(booked.entry, order.entry), expected: expected.entry, claimed: order.entry }
  const exit = { ok: isEqual(booked.exit, order.exit), expected: expected.exit, claimed: order.exit }
  const result = {
    ok: expected.status === order.status && expected.reason === order.reason,
    expected,
    claimed: { status: order.status, reason: order.reason },
  }
  const payout = {
    ok: order.payout !== null && order.pnl !== null && paysAs(order.payout, order.pnl, expected),
    expected,
    claimed: { payout: order.payout, pnl: order.pnl },
  }
  const lines = { agreed: agreedCheck, receipt, ticks, chain, source, log, entry, exit, result, payout }
  return { ...lines, ok: Object.values(lines).every((line) => line.ok) }
}

function checkAgreed(order: Order, storedTerms: AgreedTerms | null): AgreedTermsCheck {
  // The same fact is stated twice in an order: without stored terms this still shows that one was changed.
  const implied = { closeAt: order.acceptedAt + order.seconds * secondMs, rateBp: order.terms.rateBp }
  const differs = (Object.keys({ ...implied, ...storedTerms }) as (keyof AgreedTerms)[]).filter(
    (name) =>
      (name in implied && order[name] !== implied[name as keyof typeof implied]) ||
      (storedTerms !== null && !isEqual(storedTerms[name], order[name])),
  )
  return differs.length === 0 ? { ok: true, held: storedTerms !== null } : { ok: false, differs }
}

/** Compares plain values, and terms field by field. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const field = (value: object, name: string): unknown => (value as Record<string, unknown>)[name]
  return [...names].every((name) => isEqual(field(a, name), field(b, name)))
}

const paysAs = (payout: string, pnl: string, expected: Settlement): boolean =>
  payout === formatMoney(expected.payout) && pnl === formatMoney(expected.pnl)

function settleTicks({ ticks, order }: CompleteProof): SettleTick[] {
  return ticks.flatMap(([seq, at, text]) => {
    const price = parsePrice(text, order.terms.priceDecimals)
    return price === undefined ? [] : [{ seq, at, price }]
  })
}

function checkTicks(
  { ticks, before, order, gaps, sources, watermarkAt }: CompleteProof,
  seen: readonly SeenHead[],
): TicksCheck {
  const first = ticks[0]
  const last = ticks.at(-1)
  const disproved = disprovedGap(gaps, seen)
  if (disproved) return { ok: false, why: 'gap', from: disproved.from }
  if (first === undefined || last === undefined) return { ok: false, why: 'none' }
  let previous: WireTick | undefined
  for (const tick of ticks) {
    const [seq, at, price] = tick
    const expected = previous === undefined ? (before?.seq ?? seq - 1) + 1 : previous[0] + 1
    if (seq !== expected) return { ok: false, why: 'hole', seq: expected }
    if (previous !== undefined && at < previous[1]) return { ok: false, why: 'order', seq }
    if (parsePrice(price, order.terms.priceDecimals) === undefined) return { ok: false, why: 'price', seq }
    previous = tick
  }
  const added = addedTick(ticks, first[0], seen)
  if (added) return { ok: false, why: 'added', seq: added[0] }
  if (first[1] > order.acceptedAt && first[0] > 1) return { ok: false, why: 'late', seq: first[0] }
  // An order whose feed stays down is refunded 300 s after its close: the uncovered time is then a stated gap.
  const statedGap = gaps.some(({ from, to }) => from <= watermarkAt && (to === null || to >= order.closeAt))
  // An order whose source changed ended there, and may be settled before its close.
  const { closeAt } = onOwnSource(order.terms, { ...order, amount: moneyOf(order.amount) }, sources)
  if (last[1] <= closeAt && watermarkAt < closeAt && !statedGap)
    return { ok: false, why: 'short', seq: last[0] }
  return { ok: true, from: first[0], to: last[0], count: ticks.length }
}

/** A tick that no head had whose watermark covers its instant. Instants ascend, so the first one after a head suffices. */
const addedTick = (ticks: readonly WireTick[], firstSeq: number, seen: readonly SeenHead[]) =>
  seen
    .map(({ seq, watermark }) => ({ next: ticks[Math.max(0, seq + 1 - firstSeq)], watermark }))
    .find(({ next, watermark }) => next !== undefined && next[1] <= watermark)?.next

type StatedHash = { expected: string; statedBy: HeadOrigin }

function hashesBySeq(heads: readonly (Head & { statedBy: HeadOrigin })[]): Map<number, StatedHash[]> {
  const hashes = new Map<number, StatedHash[]>()
  for (const { seq, hash, statedBy } of heads) {
    const stated = hashes.get(seq) ?? []
    stated.push({ expected: hash, statedBy })
    hashes.set(seq, stated)
  }
  return hashes
}

/** Of two different heads with one seq at most one is right: each is compared. */
function statedHashes({ order, seams, after, log, receipt }: CompleteProof) {
  const logged = loggedHead({ log, order })
  const accepted = headOfReceipt(receipt)
  return hashesBySeq([
    { ...genesis(order.productId), statedBy: 'rule' },
    ...[...seams, ...(after ? [after] : [])].map((head) => ({ ...head, statedBy: 'proof' as const })),
    ...(logged ? [{ ...logged, statedBy: 'log' as const }] : []),
    ...(accepted ? [{ ...accepted, statedBy: 'receipt' as const }] : []),
  ])
}

async function checkChain(
  proof: CompleteProof,
  seen: readonly ComparedHead[],
  pause: () => Promise<void>,
): Promise<ChainCheck> {
  const { ticks, before, after, order, logEnd } = proof
  if (before === null || after === null || ticks.length === 0) return { ok: false, why: 'none' }
  const truncatedAt = logEnd === undefined ? undefined : seen.find(({ seq }) => seq > logEnd)
  if (truncatedAt !== undefined && logEnd !== undefined)
    return { ok: false, why: 'truncated', seq: truncatedAt.seq, end: logEnd }
  const live = hashesBySeq(seen.map((head) => ({ ...head, statedBy: head.statedBy ?? 'device' })))
  const stated = statedHashes(proof)
  let head: Head = before
  let sound = before.seq
  let matched = 0
  let matchedLive = 0
  const mismatch = (): ChainCheck | undefined => {
    const { seq, hash: found } = head
    const other = [...(live.get(seq) ?? []), ...(stated.get(seq) ?? [])].find(
      ({ expected }) => expected !== found,
    )
    if (other) return { ok: false, why: 'hash', seq, ...other, found, sound }
    const received = live.get(seq)
    if (received) matched += 1
    if (received?.some(({ statedBy }) => statedBy === 'device')) matchedLive += 1
    if (live.has(seq) || stated.has(seq)) sound = seq
    return undefined
  }
  const atStart = mismatch()
  if (atStart) return atStart
  for (const [i, tick] of ticks.entries()) {
    if (i % chunkHashes === chunkHashes - 1) await pause()
    head = { seq: tick[0], hash: linkHash(head.hash, order.productId, tick) }
    const failed = mismatch()
    if (failed) return failed
  }
  if (head.seq !== after.seq) {
    const { seq, hash } = after
    return { ok: false, why: 'hash', seq, expected: hash, found: head.hash, statedBy: 'proof', sound }
  }
  return { ok: true, before, after: head, hashes: ticks.length, seen: matched, live: matchedLive }
}
