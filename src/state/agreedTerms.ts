import * as z from 'zod/mini'
import { order } from '../../contract/orders.ts'

/** What was agreed when the order was placed; it must never change. */
export const agreedTerms = z.pick(order, {
  productId: true,
  direction: true,
  amount: true,
  seconds: true,
  rateBp: true,
  terms: true,
  acceptedAt: true,
  closeAt: true,
})
export type AgreedTerms = z.infer<typeof agreedTerms>
