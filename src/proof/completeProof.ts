import * as z from 'zod/mini'
import { proof } from '../../contract/orders.ts'
import { head } from '../../contract/products.ts'

/** A proof with all its ticks, from all pages. */
export const completeProof = z.object({
  ...z.omit(proof, { more: true }).shape,
  /** The heads that the venue stated where pages were joined: the chain must pass through them. */
  seams: z.array(head),
  /** Where the log ended, if that is before a head stored on this device. */
  logEnd: z.optional(z.int()),
})
export type CompleteProof = z.infer<typeof completeProof>
