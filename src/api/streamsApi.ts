import { contentRoutes } from '../../contract/content.ts'
import { orderRoutes } from '../../contract/orders.ts'
import type { Order } from '../../contract/orders.ts'
import { productRoutes } from '../../contract/products.ts'
import { sessionRoutes } from '../../contract/session.ts'
import type { Api } from '../../streams/index.ts'
import type { OfflineStore } from '../state/offlineStore.ts'
import type { Client } from './client.ts'
import type { Result } from './result.ts'

/** More open positions than a page of the list holds are followed page by page, up to this many pages. */
const positionPagesMax = 20

/** The most that one page holds: the number of unread ones is counted in it, and told as 99+ beyond. */
const messagePage = '100'

/** What is put by for times without a connection, by whoever was logged in when it was asked for. */
export type OfflineWriter = Pick<OfflineStore, 'saveOrders' | 'saveMessages' | 'saveProducts' | 'memberGuard'>

/**
 * The streams' port to REST: the same calls, but a failure rejects, as the streams want it. What the member sees of
 * orders, messages and products is kept on the way.
 */
export function apiForStreams(call: Client, offlineStore: OfflineWriter): Api {
  const { saveOrders, saveMessages, saveProducts } = offlineStore
  async function answer<T>(request: Promise<Result<T>>, store?: (value: T, at: number) => void): Promise<T> {
    const isSameMember = offlineStore.memberGuard()
    const result = await request
    if (result.ok) {
      if (isSameMember()) store?.(result.value, result.at)
      return result.value
    }
    // A Failure that is an Error too, so that it carries a stack where it is logged.
    throw Object.assign(new Error(result.failure.kind), result.failure)
  }
  const storeOrder = (order: Order, at: number): void => void saveOrders([order], at)

  return {
    products: async () => {
      const request = call(productRoutes.products, { query: { spark: 'true' } })
      return (await answer(request, ({ items }, at) => void saveProducts(items, at))).items
    },
    product: (id) => answer(call(productRoutes.product, { params: { id } })),
    ticksAfter: (id, afterSeq) =>
      answer(call(productRoutes.ticks, { params: { id }, query: { afterSeq: String(afterSeq) } })),
    candles: async (id, tf, to, limit) => {
      const query = { tf, limit: String(limit), ...(to === undefined ? {} : { to: String(to) }) }
      return (await answer(call(productRoutes.candles, { params: { id }, query }))).candles
    },
    positions: async () => {
      const all = []
      let cursor: string | null = null
      for (let page = 0; page < positionPagesMax; page++) {
        const query: { tab: 'positions'; limit: string; cursor?: string } = {
          tab: 'positions',
          limit: '100',
          ...(cursor === null ? {} : { cursor }),
        }
        const { items, nextCursor } = await answer(
          call(orderRoutes.orders, { query }),
          (page, at) => void saveOrders(page.items, at),
        )
        all.push(...items)
        if (nextCursor === null) break
        cursor = nextCursor
      }
      return all
    },
    order: (id) => answer(call(orderRoutes.order, { params: { id } }), storeOrder),
    proof: (id) => answer(call(orderRoutes.orderProof, { params: { id } })),
    place: (key, order) => answer(call(orderRoutes.placeOrder, { body: order }, { key })),
    orderByKey: (key) => answer(call(orderRoutes.orderByKey, { params: { key } })),
    assets: () => answer(call(sessionRoutes.assets, {})),
    messages: (cursor) => {
      const query = { limit: messagePage, ...(cursor === undefined ? {} : { cursor }) }
      return answer(call(contentRoutes.messages, { query }), ({ items }, at) => void saveMessages(items, at))
    },
    readMessages: (which) => answer(call(contentRoutes.readMessages, { body: which })),
  }
}
