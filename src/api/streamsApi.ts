import { contentRoutes } from '../../contract/content.ts'
import { orderRoutes, type Order } from '../../contract/orders.ts'
import { productRoutes } from '../../contract/products.ts'
import { ledgerRoutes } from '../../contract/ledger.ts'
import type { Api } from '../../streams/index.ts'
import type { Evidence } from '../state/evidence.ts'
import type { OfflineStore } from '../state/offlineStore.ts'
import type { Client } from './clientOver.ts'
import { positionsQuery } from './positionsQuery.ts'
import { productsQuery } from './productsQuery.ts'
import { answerOf, type Result } from './result.ts'

/** Open positions are fetched page by page, up to this many pages. */
const positionPagesMax = 20

/** The largest page: unread messages are counted in it, and shown as 99+ beyond. */
const messagePage = '100'

/** Stores answers for offline use, under the member who was logged in at the request. */
export type OfflineWriter = Pick<OfflineStore, 'saveOrders' | 'saveMessages' | 'saveProducts' | 'memberGuard'>
/** Keeps what the venue answered or signed of an order, under the same member. */
export type EvidenceWriter = Pick<Evidence, 'recordOrder'>

/**
 * The REST calls for the streams: a failure rejects the promise, as the streams expect. Orders, messages and products
 * are also stored for offline use; the answer to a placed order, and the receipt of any other, is kept as evidence.
 */
export function apiForStreams(call: Client, offlineStore: OfflineWriter, evidence: EvidenceWriter): Api {
  const { saveOrders, saveMessages, saveProducts } = offlineStore
  function answer<T>(request: Promise<Result<T>>, store?: (value: T, at: number) => void): Promise<T> {
    const isSameMember = offlineStore.memberGuard()
    const stored = request.then((result) => {
      if (result.ok && isSameMember()) store?.(result.value, result.at)
      return result
    })
    return answerOf(stored)
  }
  const storeOrder = (order: Order, at: number): void => {
    void saveOrders([order], at)
    if (order.receipt !== undefined) void evidence.recordOrder(order, at)
  }
  const recordAnswerTo = answerRecorder(evidence)

  return {
    products: async () => {
      const request = call(productRoutes.products, { query: productsQuery })
      return (await answer(request, ({ items }, at) => void saveProducts(items, at))).items
    },
    product: (id) => answer(call(productRoutes.product, { params: { id } })),
    ticks: (id, query) => {
      const text = 'from' in query ? { from: String(query.from) } : { afterSeq: String(query.afterSeq) }
      return answer(call(productRoutes.ticks, { params: { id }, query: text }))
    },
    candles: async (id, tf, to, limit) => {
      const query = { tf, limit: String(limit), ...(to === undefined ? {} : { to: String(to) }) }
      return (await answer(call(productRoutes.candles, { params: { id }, query }))).candles
    },
    positions: async () => {
      const all = []
      let cursor: string | null = null
      for (let page = 0; page < positionPagesMax; page++) {
        const query: typeof positionsQuery & { cursor?: string } = {
          ...positionsQuery,
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
    place: (key, order, openedFor) =>
      answer(call(orderRoutes.placeOrder, { body: order }, { key, openedFor }), recordAnswerTo(key)),
    orderByKey: (key) => answer(call(orderRoutes.orderByKey, { params: { key } }), recordAnswerTo(key)),
    assets: () => answer(call(ledgerRoutes.assets, {})),
    messages: (cursor, category) => {
      const query = {
        results: 'grouped' as const,
        limit: messagePage,
        ...(category === undefined ? {} : { category }),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const request = call(contentRoutes.messages, { query })
      return category === undefined
        ? answer(request, ({ items }, at) => void saveMessages(items, at))
        : answer(request)
    },
    readMessages: (which) => answer(call(contentRoutes.readMessages, { body: which })),
  }
}

/** Whatever the answer says or leaves out, it is about the key that was sent: what was confirmed is found under that. */
const answerRecorder =
  ({ recordOrder }: EvidenceWriter) =>
  (key: string) =>
  (order: Order, at: number): void =>
    void recordOrder({ ...order, key }, at)
