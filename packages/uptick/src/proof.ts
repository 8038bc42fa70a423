import { assertNever } from '../../../contract/units.ts'
import type { Head } from '../../../contract/chain.ts'
import { logPathMax } from '../../../contract/constants.ts'
import { fillOf, wireExitOf } from '../../../contract/fills.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import { checkProof, proofSteps, type ProofReport, type ProofStep } from '../../../src/proof/check.ts'
import type { LogKeys } from '../../../src/proof/log.ts'
import type { KnownKey } from '../../../src/proof/receipt.ts'
import { readProofFile, type ReadProofFile } from '../../../src/proof/readProofFile.ts'

/**
 * Whether a proof holds. `refuted` names the first step that does not, as docs/protocol.md numbers them, with what was
 * found; `unusable`: the text is not a proof, with the field that is wrong.
 */
export type ProofVerdict =
  | {
      kind: 'holds'
      orderNo: string
      productId: string
      rule: string
      ticks: number
      headsMet: number
      /** The leaf of the public log that has these ticks, and who cosigned it; null: it has none, or the key is missing. */
      logged: { index: number; at: number; witnesses: string[] } | null
      /**
       * Who signed the order's receipt: the venue, by which of the keys; a key that is not one of them, or not known;
       * or no one.
       */
      signed: Signed
      prices: Prices
    }
  | { kind: 'refuted'; orderNo: string; step: ProofStep; found: Record<string, unknown> }
  | { kind: 'unusable'; why: string }
export type { KnownKey, ProofStep }
export type Signed =
  | { by: 'venue'; key: string; from: KnownKey['from'] }
  /** A key that is none of those given. The signer is unknown. */
  | { by: 'other key'; keys: string[] }
  /** No key was given. */
  | { by: 'unknown key'; keys: string[] }
  | { by: 'nobody' }
  /** This platform has no Ed25519. */
  | { by: 'unverified' }
/**
 * The evidence that the prices are the venue's: its public log, or its heads at both ends of the proof, which it states
 * now. `file`: nothing. No one of them says it of gaps and of changes of source.
 */
export type Prices = 'log' | 'venue' | 'file'
/** Heads of the product's chain from elsewhere, such as another member's device; `statedBy`: what the venue itself states now. */
export type HeadsToCompare = readonly { seq: number; hash: string; statedBy?: 'venue' }[]

/** A head without a watermark is compared with the chain, and disproves no gap. */
const noWatermark = Number.NEGATIVE_INFINITY

/**
 * Recomputes a proof file as the app does.
 * @param file the parsed JSON of the exported file
 * @param logKeys of the public log and its witnesses; without them its signature is not verified
 * @param receiptKeys that the venue signs with; without them every receipt is signed by an unknown key
 */
export async function verifyProof(
  file: unknown,
  heads: HeadsToCompare = [],
  logKeys?: LogKeys,
  receiptKeys: readonly KnownKey[] = givenKeys(logKeys),
): Promise<ProofVerdict> {
  const read = readProofFile(file)
  if (!read.ok) return { kind: 'unusable', why: whyOf(read) }
  const { proof, evidence } = read
  const { order } = proof
  const seen = [
    ...evidence.heads,
    ...heads.map(({ seq, hash, statedBy = 'elsewhere' as const }) => ({
      seq,
      hash,
      watermark: noWatermark,
      seenAt: 0,
      statedBy,
    })),
  ]
  const compared = { ...evidence, heads: seen, logKeys, receipt: { keys: receiptKeys } }
  const report = await checkProof(proof, compared, () => Promise.resolve())
  const failed = proofSteps.find((step) => !report[step].ok)
  if (failed !== undefined)
    return { kind: 'refuted', orderNo: order.no, step: failed, found: foundBy(report, failed, order) }
  return {
    kind: 'holds',
    orderNo: order.no,
    productId: order.productId,
    rule: order.terms.rule,
    ticks: proof.ticks.length,
    headsMet: report.chain.ok ? report.chain.seen : 0,
    logged: loggedBy(report.log),
    signed: signedBy(report.receipt),
    prices: pricesBy(report, heads),
  }
}

function pricesBy({ log, chain }: ProofReport, heads: HeadsToCompare): Prices {
  if (log.ok && log.held) return 'log'
  const isStated = ({ seq }: Head): boolean =>
    heads.some((head) => head.statedBy === 'venue' && head.seq === seq)
  return chain.ok && isStated(chain.before) && isStated(chain.after) ? 'venue' : 'file'
}

const givenKeys = (logKeys?: LogKeys): KnownKey[] =>
  typeof logKeys?.logKey === 'string' ? [{ key: logKeys.logKey, from: 'given' }] : []

function signedBy(check: ProofReport['receipt']): Signed {
  if (!check.ok || check.signed === 'none') return { by: 'nobody' }
  if (check.signed === 'venue') return { by: 'venue', key: check.key, from: check.from }
  if (check.signed === 'unverified') return { by: 'unverified' }
  return { by: check.signed === 'other' ? 'other key' : 'unknown key', keys: check.keys }
}

const loggedBy = (log: ProofReport['log']) =>
  log.ok && log.held ? { index: log.index, at: log.at, witnesses: log.witnesses } : null

/** What a step found, as the file spells it: what the rules give in the form of what the order claims. */
function foundBy(report: ProofReport, step: ProofStep, { terms }: Order): Record<string, unknown> {
  const { entry, exit, result, payout } = report
  const { priceDecimals } = terms
  switch (step) {
    case 'entry':
      return { expected: entry.expected && fillOf(entry.expected, priceDecimals), claimed: entry.claimed }
    case 'exit':
      return { expected: exit.expected && wireExitOf(exit.expected, priceDecimals), claimed: exit.claimed }
    case 'result': {
      const { status, reason } = result.expected
      return { expected: { status, reason }, claimed: result.claimed }
    }
    case 'payout': {
      const { payout: paid, pnl } = payout.expected
      return { expected: { payout: formatMoney(paid), pnl: formatMoney(pnl) }, claimed: payout.claimed }
    }
    case 'agreed':
    case 'receipt':
    case 'ticks':
    case 'chain':
    case 'source':
    case 'log': {
      const { ok: _ok, ...found } = report[step]
      return found
    }
    default:
      return assertNever(step)
  }
}

function whyOf(read: Exclude<ReadProofFile, { ok: true }>): string {
  if (read.why === 'open') return 'the order is not settled yet'
  if (read.why === 'path')
    return `not a proof file: its path in the public log has more than ${logPathMax} hashes`
  return read.field === '' ? 'not a proof file' : `not a proof file: field ${read.field}`
}
