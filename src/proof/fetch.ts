import { orderRoutes } from '../../contract/orders.ts'
import { productRoutes } from '../../contract/products.ts'
import type { Result } from '../api/result.ts'
import { call } from '../api/venue.ts'
import { evidence, offline } from '../state/offlineMember.ts'
import type { TicksAfter, WholeProof } from './collect.ts'
import { collectProof, reachHeads } from './collect.ts'

const ticksAfter: TicksAfter = (id, afterSeq, limit) =>
  call(productRoutes.ticks, { params: { id }, query: { afterSeq: String(afterSeq), limit: String(limit) } })

/**
 * An order's proof as the venue gives it now: with all its pages, and with the ticks that join it to the heads that came
 * with the order. Kept for times when the venue cannot be asked.
 */
export async function fetchProof(orderId: string, signal?: AbortSignal): Promise<Result<WholeProof>> {
  const isStill = offline.forMember()
  const first = await call(orderRoutes.orderProof, { params: { id: orderId } }, signal ? { signal } : {})
  if (!first.ok) return first
  const whole = await collectProof(first.value, ticksAfter)
  if (!whole.ok) return whole
  const { heads } = await evidence.held(orderId)
  const own = heads.filter(({ from }) => from === 'order')
  const reached = await reachHeads(whole.value, own, ticksAfter)
  if (reached.ok && isStill()) void offline.keepProof(reached.value, first.at)
  return reached
}
