import * as z from 'zod/mini'
import { rules } from '../../../contract/constants.ts'
import { proof } from '../../../contract/orders.ts'
import { head } from '../../../contract/products.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { ProofReport } from '../../../src/proof/check.ts'
import type { AgreedTerms } from '../../../src/state/evidence.ts'

/**
 * Whether a proof holds. `refuted` names the first step that does not, as docs/protocol.md numbers them, with what was
 * found; `unusable`: the text is not a proof, with the field that is wrong.
 */
export type ProofVerdict =
  | { kind: 'holds'; orderNo: string; productId: string; rule: string; ticks: number; headsMet: number }
  | { kind: 'refuted'; orderNo: string; step: ProofStep; found: Record<string, unknown> }
  | { kind: 'unusable'; why: string }
export type ProofStep = (typeof steps)[number]
/** Heads of the product's chain from elsewhere, such as another member's device or the venue's own answer. */
export type HeadsToCompare = readonly { seq: number; hash: string }[]

const steps = ['agreed', 'ticks', 'chain', 'source', 'entry', 'exit', 'result', 'payout'] as const

const seenHead = z.object({ ...head.shape, watermarkAt: z.int(), seenAt: z.int() })
const proofFile = z.object({
  ...z.omit(proof, { more: true }).shape,
  format: z.literal('uptick-order-proof'),
  version: z.literal(1),
  rule: z.object({ name: z.enum(rules) }),
  agreed: z.nullable(z.record(z.string(), z.unknown())),
  seams: z.array(head),
  heads: z.array(seenHead),
  logEnd: z.optional(z.int()),
})

/** A head without a watermark is compared with the chain, and disproves no gap. */
const noWatermark = Number.NEGATIVE_INFINITY

/** Recomputes a proof file as the app does. @param file the parsed JSON of the exported file */
export async function verifyProof(file: unknown, heads: HeadsToCompare = []): Promise<ProofVerdict> {
  const parsed = proofFile.safeParse(file)
  if (!parsed.success) return { kind: 'unusable', why: whyOf(parsed.error.issues) }
  const { agreed, heads: stored, logEnd, rule, ...rest } = parsed.data
  const whole = { ...rest, rule: rule.name, ...(logEnd !== undefined && { logEnd }) }
  const { order } = whole
  if (order.settledAt === null) return { kind: 'unusable', why: 'the order is not settled yet' }
  const seen = [
    ...stored.map(({ seq, hash, watermarkAt, seenAt }) => ({ seq, hash, watermark: watermarkAt, seenAt })),
    ...heads.map(({ seq, hash }) => ({ seq, hash, watermark: noWatermark, seenAt: 0 })),
  ]
  const evidence = { agreed: agreed as AgreedTerms | null, heads: seen }
  const report = await checkProof(whole, evidence, () => Promise.resolve())
  const failed = steps.find((step) => !report[step].ok)
  if (failed !== undefined)
    return { kind: 'refuted', orderNo: order.no, step: failed, found: foundBy(report, failed) }
  return {
    kind: 'holds',
    orderNo: order.no,
    productId: order.productId,
    rule: order.terms.rule,
    ticks: whole.ticks.length,
    headsMet: report.chain.ok ? report.chain.seen : 0,
  }
}

/** What a step found, without the parts that are too long to read. */
function foundBy(report: ProofReport, step: ProofStep): Record<string, unknown> {
  const { ok: _ok, ...found } = report[step]
  return JSON.parse(JSON.stringify(found, textOfBigints)) as Record<string, unknown>
}

const textOfBigints = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

function whyOf(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [first] = issues
  if (!first) return 'not a proof file'
  return first.path.length === 0 ? 'not a proof file' : `not a proof file: field ${first.path.join('.')}`
}
