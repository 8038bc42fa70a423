import { orderRoutes } from '../../contract/orders.ts'
import { productRoutes } from '../../contract/products.ts'
import type { Client } from '../api/client.ts'
import type { Result } from '../api/result.ts'
import { evidence, offlineStore } from '../state/memberStores.ts'
import { collectProof, extendToHeads, type TicksAfter } from './collect.ts'
import type { CompleteProof } from './completeProof.ts'

/**
 * Fetches an order's current proof, with all its pages and the ticks that connect it to the heads that came with the
 * order. Stored for offline use.
 */
export async function fetchProof(
  call: Client,
  orderId: string,
  signal?: AbortSignal,
): Promise<Result<CompleteProof>> {
  const ticksAfter: TicksAfter = (id, afterSeq, limit) =>
    call(productRoutes.ticks, { params: { id }, query: { afterSeq: String(afterSeq), limit: String(limit) } })
  const isSameMember = offlineStore.memberGuard()
  const first = await call(orderRoutes.orderProof, { params: { id: orderId } }, signal ? { signal } : {})
  if (!first.ok) return first
  const whole = await collectProof(first.value, ticksAfter)
  if (!whole.ok) return whole
  const { heads } = await evidence.get(orderId)
  const own = heads.filter(({ from }) => from === 'order')
  const extended = await extendToHeads(whole.value, own, ticksAfter)
  if (extended.ok && isSameMember()) void offlineStore.saveProof(extended.value, first.at)
  return extended
}
