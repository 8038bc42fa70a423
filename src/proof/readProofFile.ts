import * as z from 'zod/mini'
import { rules } from '../../contract/constants.ts'
import { head } from '../../contract/products.ts'
import { plainInstant } from '../../contract/schema.ts'
import { agreedTerms } from '../state/agreedTerms.ts'
import type { ProofEvidence } from './check.ts'
import { completeProof } from './completeProof.ts'
import type { CompleteProof } from './completeProof.ts'
import { proofFormat, proofVersion } from './proofFile.ts'

const seenHead = z.object({
  ...head.shape,
  watermarkAt: plainInstant,
  seenAt: plainInstant,
  from: z.enum(['order', 'feed']),
})
const proofFile = z.object({
  ...completeProof.shape,
  format: z.literal(proofFormat),
  version: z.literal(proofVersion),
  rule: z.object({ name: z.enum(rules) }),
  savedAt: plainInstant,
  agreed: z.nullable(agreedTerms),
  heads: z.array(seenHead),
})

/** `field` is the first one that is wrong, empty if the file as a whole is none. `open`: there is no result yet. */
export type ReadProofFile =
  | { ok: true; proof: CompleteProof; evidence: ProofEvidence }
  | { ok: false; why: 'format'; field: string }
  | { ok: false; why: 'open' }

/** The proof and the evidence in an exported file. @param file its parsed JSON */
export function readProofFile(file: unknown): ReadProofFile {
  const parsed = proofFile.safeParse(file)
  if (!parsed.success)
    return { ok: false, why: 'format', field: parsed.error.issues[0]?.path.join('.') ?? '' }
  const { agreed, heads, rule, ...rest } = parsed.data
  if (rest.order.settledAt === null) return { ok: false, why: 'open' }
  return {
    ok: true,
    proof: { ...rest, rule: rule.name },
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
