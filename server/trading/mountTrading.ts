import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { SQL } from 'drizzle-orm'
import { isFinal, orderRoutes } from '../../contract/orders.ts'
import type { Order } from '../../contract/orders.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/database.ts'
import { orders } from '../db/schema/order.ts'
import { csvType } from '../csv.ts'
import { exportRange } from '../http/downloads.ts'
import { mount } from '../http/mount.ts'
import { ApiError } from '../apiError.ts'
import { resolveFailedCall, replayStored, toKeyScope } from '../idempotency/idempotentRoute.ts'
import type { IdempotencyKeys, KeyScope } from '../idempotency/idempotencyKeys.ts'
import type { Market } from '../ports.ts'
import { listOrders, ordersCsv } from './orderList.ts'
import { buildProof } from './proof.ts'
import type { Trading } from './trading.ts'

export type TradingMount = { db: Db; idempotencyKeys: IdempotencyKeys; market: Market; trading: Trading }

/** The routes about orders. */
export function mountTrading(
  app: FastifyInstance,
  { db, idempotencyKeys, market, trading }: TradingMount,
): void {
  const { view } = trading
  const find = async (memberId: string, condition: SQL): Promise<Order> => {
    const [row] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.memberId, memberId), condition))
    if (!row) throw new ApiError(404, 'NOT_FOUND')
    return view(row)
  }

  mount(app, orderRoutes.placeOrder, async ({ body, member, key, request, reply }) => {
    const scope = toKeyScope(request, member, key)
    const fingerprint = idempotencyKeys.lockedFingerprint(scope)
    try {
      return await trading.place({ memberId: member.memberId, key, fingerprint, order: body })
    } catch (error) {
      if (isUniqueViolation(error, 'orders_key_unique'))
        return replayStored(reply, await findOlderAnswer(idempotencyKeys, scope)) as Order
      return replayStored(
        reply,
        await resolveFailedCall({ db, keys: idempotencyKeys }, scope, request, error),
      ) as Order
    }
  })

  mount(app, orderRoutes.orders, async ({ member, query }) => {
    const { limit, cursor, ...filters } = query
    const { rows, nextCursor } = await listOrders(db, member.memberId, filters, { limit, cursor })
    return { items: rows.map(view), nextCursor }
  })

  mount(app, orderRoutes.ordersCsv, async ({ member, query, reply }) => {
    const { clock, downloads } = app.requestContext
    const filters = { ...query, ...exportRange(query, clock.now()) }
    const pieces = ordersCsv(db, member.memberId, filters, view)
    return downloads.stream({ member, reply }, { name: 'orders.csv', type: csvType, pieces })
  })

  mount(app, orderRoutes.order, ({ member, params }) => find(member.memberId, eq(orders.id, params.id)))

  // `Server-Time` is when the request arrived: a placement accepted before that still has its key locked, or is found.
  mount(app, orderRoutes.orderByKey, async ({ member: { memberId }, params }) => {
    const key = params.key.toLowerCase()
    await idempotencyKeys.waitUntilUnlocked({ memberId, method: 'POST', path: '/api/orders', key })
    return find(memberId, eq(orders.key, key))
  })

  mount(app, orderRoutes.orderProof, async ({ member, params }) => {
    const order = await find(member.memberId, eq(orders.id, params.id))
    if (!isFinal(order.status)) throw new ApiError(409, 'NOT_SETTLED')
    return buildProof(market, order)
  })
}

/** The key already has an order: returns its stored answer; throws a mismatch if the answer was pruned. */
async function findOlderAnswer(idempotencyKeys: IdempotencyKeys, scope: KeyScope) {
  const stored = await idempotencyKeys.find(scope, idempotencyKeys.lockedFingerprint(scope))
  if (!stored) throw new ApiError(422, 'IDEMPOTENCY_MISMATCH')
  return stored
}
