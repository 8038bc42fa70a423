import { orderRoutes } from '../../contract/orders.ts'
import { productRoutes } from '../../contract/products.ts'
import type { Result } from '../api/result.ts'
import { call } from '../api/venue.ts'
import { offline } from '../state/offlineMember.ts'
import type { TicksAfter, WholeProof } from './collect.ts'
import { collectProof } from './collect.ts'

const ticksAfter: TicksAfter = (id, afterSeq, limit) =>
  call(productRoutes.ticks, { params: { id }, query: { afterSeq: String(afterSeq), limit: String(limit) } })

/** Lets the page draw and answer taps between two chunks of work. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** An order's proof as the venue gives it now, with all its pages; kept for times when it cannot be asked. */
export async function fetchProof(orderId: string, signal: AbortSignal): Promise<Result<WholeProof>> {
  const isStill = offline.forMember()
  const first = await call(orderRoutes.orderProof, { params: { id: orderId } }, { signal })
  if (!first.ok) return first
  const whole = await collectProof(first.value, ticksAfter)
  if (whole.ok && isStill()) void offline.keepProof(whole.value, first.at)
  return whole
}
