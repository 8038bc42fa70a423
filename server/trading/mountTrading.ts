import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { SQL } from 'drizzle-orm'
import { isFinal, orderRoutes } from '../../contract/orders.ts'
import type { Order } from '../../contract/orders.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/database.ts'
import { orders } from '../db/schema/order.ts'
import { csvType } from '../csv.ts'
import { fileSpan } from '../http/downloads.ts'
import { mount } from '../http/mount.ts'
import { Refusal } from '../http/refusal.ts'
import { firstAnswer, replayed, scopeOf } from '../idempotency/keyed.ts'
import type { Keys, KeyScope } from '../idempotency/keys.ts'
import type { Market } from '../ports.ts'
import { listOrders, ordersCsv } from './orderList.ts'
import { proofOf } from './proof.ts'
import type { Trading } from './trading.ts'

export type TradingMount = { db: Db; keys: Keys; market: Market; trading: Trading }

/** The calls of §4. */
export function mountTrading(app: FastifyInstance, { db, keys, market, trading }: TradingMount): void {
  const { view } = trading
  const find = async (memberId: string, condition: SQL): Promise<Order> => {
    const [row] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.memberId, memberId), condition))
    if (!row) throw new Refusal(404, 'NOT_FOUND')
    return view(row)
  }

  mount(app, orderRoutes.placeOrder, async ({ body, member, key, request, reply }) => {
    const scope = scopeOf(request, member, key)
    const fingerprint = keys.fingerprintOf(scope)
    try {
      return await trading.place({ memberId: member.memberId, key, fingerprint, order: body })
    } catch (error) {
      if (isUniqueViolation(error, 'orders_key_unique'))
        return replayed(reply, await olderAnswer(keys, scope)) as Order
      return replayed(reply, await firstAnswer({ db, keys }, scope, request, error)) as Order
    }
  })

  mount(app, orderRoutes.orders, async ({ member, query }) => {
    const { limit, cursor, ...filters } = query
    const { rows, nextCursor } = await listOrders(db, member.memberId, filters, { limit, cursor })
    return { items: rows.map(view), nextCursor }
  })

  mount(app, orderRoutes.ordersCsv, async ({ member, query, reply }) => {
    const { clock, downloads } = app.gate
    const filters = { ...query, ...fileSpan(query, clock.now()) }
    const pieces = ordersCsv(db, member.memberId, filters, view)
    return downloads.send({ member, reply }, { name: 'orders.csv', type: csvType, pieces })
  })

  mount(app, orderRoutes.order, ({ member, params }) => find(member.memberId, eq(orders.id, params.id)))

  // `Server-Time` is when the request came in: a placement accepted before that is either still held here or found.
  mount(app, orderRoutes.orderByKey, async ({ member: { memberId }, params }) => {
    const key = params.key.toLowerCase()
    await keys.whenFree({ memberId, method: 'POST', path: '/api/orders', key })
    return find(memberId, eq(orders.key, key))
  })

  mount(app, orderRoutes.orderProof, async ({ member, params }) => {
    const order = await find(member.memberId, eq(orders.id, params.id))
    if (!isFinal(order.status)) throw new Refusal(409, 'NOT_SETTLED')
    return proofOf(market, order)
  })
}

/** The key has an order already: its answer again, or, where that is forgotten after its days, a mismatch. */
async function olderAnswer(keys: Keys, scope: KeyScope) {
  const stored = await keys.find(scope, keys.fingerprintOf(scope))
  if (!stored) throw new Refusal(422, 'IDEMPOTENCY_MISMATCH')
  return stored
}
