import * as z from 'zod/mini'
import { rules } from '../../contract/constants.ts'
import { head } from '../../contract/products.ts'
import { plainInstant } from '../../contract/schema.ts'
import { agreedTerms } from '../state/agreedTerms.ts'
import type { ProofEvidence } from './check.ts'
import { completeProof, type CompleteProof } from './completeProof.ts'
import { proofFormat, proofVersion } from './proofFile.ts'

const seenHead = z.object({
  ...head.shape,
  watermarkAt: plainInstant,
  seenAt: plainInstant,
  from: z.enum(['order', 'feed']),
})
const proofFile = z.object({
  ...completeProof.shape,
  // The writer of a file may leave them out.
  log: z.optional(completeProof.shape.log),
  receipt: z.optional(completeProof.shape.receipt),
  format: z.literal(proofFormat),
  version: z.literal(proofVersion),
  rule: z.object({ name: z.enum(rules) }),
  savedAt: plainInstant,
  agreed: z.nullable(agreedTerms),
  heads: z.array(seenHead),
})

/** No proof is larger: checking one that is would stop the page for seconds. */
export const proofFileMaxBytes = 16_000_000

/** `field` is the first one that is wrong, empty if the file as a whole is none. `open`: there is no result yet; `path`: longer than any log has. */
export type ReadProofFile =
  | { ok: true; proof: CompleteProof; evidence: ProofEvidence }
  | { ok: false; why: 'format'; field: string }
  | { ok: false; why: 'open' }
  | { ok: false; why: 'path' }

/** The proof and the evidence in an exported file. @param file its parsed JSON */
export function readProofFile(file: unknown): ReadProofFile {
  const parsed = proofFile.safeParse(file)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') ?? ''
    const isLongPath = issue?.code === 'too_big' && field === 'log.path'
    return isLongPath ? { ok: false, why: 'path' } : { ok: false, why: 'format', field }
  }
  const { agreed, heads, rule, log = null, receipt = null, ...rest } = parsed.data
  if (rest.order.settledAt === null) return { ok: false, why: 'open' }
  return {
    ok: true,
    proof: { ...rest, rule: rule.name, log, receipt },
    evidence: {
      agreed,
      heads: heads.map(({ seq, hash, watermarkAt, seenAt }) => ({
        seq,
        hash,
        watermark: watermarkAt,
        seenAt,
      })),
    },
  }
}
