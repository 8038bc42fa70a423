import { and, eq, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { isFinal, orderRoutes, type Order, type OrderFilters, type Proof } from '../../../contract/orders.ts'
import { ApiError } from '../../platform/apiError.ts'
import { csvType } from '../../platform/csv.ts'
import { untilReached, type Market, type PublicLog } from '../../market/index.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import {
  type BalanceRow,
  type Freezes,
  toAssets,
  toLedgerEntry as ledgerEntryOf,
  type BusinessCalendar,
  type SelfLimitPolicy,
} from '../../money/index.ts'
import { orders, type OrderRow } from '../schema.ts'
import { exportRange } from '../../platform/http/downloads.ts'
import { mount, replayStored } from '../../platform/http/mount.ts'
import type { IdempotencyKeys } from '../../platform/idempotency/idempotencyKeys.ts'
import { resolveFailedCall, toKeyScope } from '../../platform/idempotency/idempotentRoute.ts'
import { movementOf } from '../../../contract/movements.ts'
import type { Module } from '../../platform/module.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type {
  Clock,
  Cluster,
  MemberBus,
  Principal,
  Random,
  Report,
  SessionOwners,
  StoredAnswer,
} from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { VenueStatusStore } from '../venueStatus/venueStatus.ts'
import { listOrders, ordersCsv } from './orderList.ts'
import { currentHead, toOrder } from './orderRow.ts'
import { createLeaderPlacer, readOlderAnswer } from './leaderPlacer.ts'
import { createPlacement, type Place } from './placement.ts'
import { KeyUsedError, placementScope } from './placementKey.ts'
import type { OrderProcessor } from './processor.ts'
import { buildProof } from './proof.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import type { ResultOutbox } from './resultOutbox.ts'

export type TradingParts = Pick<Database, 'db' | 'pool'> & {
  fence: Fence
  clock: Clock
  random: Random
  business: BusinessCalendar
  market: Market
  processor: OrderProcessor
  cluster: Cluster | null
  venueStatus: Pick<VenueStatusStore, 'state'>
  bus: MemberBus
  selfLimits: Pick<SelfLimitPolicy, 'assertStakeAllowed' | 'businessNow'>
  resultOutbox: Pick<ResultOutbox, 'onSettled'>
  idempotencyKeys: IdempotencyKeys
  sessions: SessionOwners
  freezes: Pick<Freezes, 'frozenUntil' | 'assertNotFrozen'>
  publicLog: Pick<PublicLog, 'prove' | 'origin' | 'signReceipts' | 'signsAs'>
  secrets: Pick<Secrets, 'logKey'>
  report: Report
}

export type Trading = {
  place: Place
  /** An order as of now, in the wire format. */
  view: (row: OrderRow) => Order
  list: (
    memberId: string,
    filters: OrderFilters,
    page: PageRequest,
  ) => Promise<{ items: Order[]; nextCursor: string | null }>
  /** Throws `NOT_SETTLED`. The proof has the order's receipt only if that is given. */
  prove: (order: Order, receipt?: string) => Promise<Proof>
}

/** Timed orders for members: placing, and the events about their progress. */
export function createTrading(parts: TradingParts): Trading & Module {
  const { clock, business, market, processor, bus, cluster, freezes, resultOutbox, report } = parts
  const view = (row: OrderRow): Order => toOrder(row, clock.now())
  const publishOrder = (row: OrderRow): void =>
    bus.emit(row.memberId, 'order', { ...view(row), head: currentHead(market, row.productId) })
  const publishAssets = (balance: BalanceRow): void =>
    bus.emit(balance.memberId, 'assets', toAssets(balance, business.dayOf(clock.now())))

  processor.onOpened(publishOrder)
  processor.onSettled((rows, { postings, balances }) => {
    rows.forEach(publishOrder)
    const settledRows = new Map(rows.map((row) => [row.id, row]))
    for (const posting of postings) {
      const entry = ledgerEntryOf({ ...posting, ...entryOf(settledRows.get(posting.refId)) })
      bus.emit(posting.memberId, 'ledger', entry)
    }
    balances.forEach(publishAssets)
    resultOutbox.onSettled(rows)
  })
  const place = createPlacement({
    ...parts,
    calendar: business,
    onPlaced: (rows, balance) => {
      // First, so that publishing does not delay the processor.
      processor.follow(rows)
      rows.forEach(publishOrder)
      publishStakes(bus, rows, balance)
      publishAssets(balance)
    },
    onUnknownOutcome: (error) => {
      report('placing failed', error)
      processor.recoverPlacements()
    },
  })
  const trading: Trading = {
    place: (command) => {
      if (cluster?.isLeading() === false) return cluster.remotePlacer.place(command)
      // The account may have been frozen since the request's head came.
      const until = freezes.frozenUntil(command.memberId)
      return until === null
        ? place(command)
        : Promise.reject(new ApiError('ACCOUNT_FROZEN', { params: { until } }))
    },
    view,
    list: async (memberId, filters, page) => {
      const { rows, nextCursor } = await listOrders(parts.db, memberId, filters, page)
      return { items: rows.map(view), nextCursor }
    },
    prove: (order, receipt) => prove(parts, order, receipt ?? null),
  }
  return {
    ...trading,
    mount: (app) => mountRoutes(app, parts, trading),
    start: async () => cluster?.answerPlacements(createLeaderPlacer({ ...parts, place })),
  }
}

/** The order's part of a transaction. An order does not change the held amount or the fund. */
const entryOf = (row: OrderRow | undefined) => ({
  held: 0,
  fund: 0,
  no: row?.no ?? null,
  productId: row?.productId ?? null,
})

/** One entry of the capital record per stake; the newest has the balance's version, earlier ones count down from it. */
function publishStakes(bus: MemberBus, rows: readonly OrderRow[], balance: BalanceRow): void {
  let availableAfter = balance.available + rows.reduce((sum, row) => sum + row.amount, 0)
  rows.forEach((row, i) => {
    const { type, amount, legs } = movementOf('stake', row.amount)
    availableAfter += legs.available
    const posting = {
      id: balance.version - rows.length + 1 + i,
      at: row.acceptedAt,
      type,
      amount,
      availableAfter,
      refKind: 'order',
      refId: row.id,
      ...entryOf(row),
    }
    bus.emit(row.memberId, 'ledger', ledgerEntryOf(posting))
  })
}

/** Reads a member's orders, each with its receipt. */
function createOrderReader(db: Db, receipts: Receipts, view: Trading['view']) {
  const find = async (memberId: string, condition: SQL): Promise<Order> => {
    const [row] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.memberId, memberId), condition))
    if (!row) throw new ApiError('NOT_FOUND')
    return receipts.signStored(row, view(row))
  }
  /** The stored answer of a placed order has no receipt: what is signed is committed before. */
  const completeReplay = async (stored: StoredAnswer, { memberId }: Principal): Promise<StoredAnswer> => {
    if (stored.status !== orderRoutes.placeOrder.status) return stored
    const first = stored.body as Order
    const { receipt, receiptSalt } = await find(memberId, eq(orders.id, first.id))
    return { ...stored, body: { ...first, receipt, receiptSalt } }
  }
  return { find, completeReplay }
}

/** The routes about orders. */
function mountRoutes(app: FastifyInstance, parts: TradingParts, trading: Trading): void {
  const { db, cluster, idempotencyKeys } = parts
  const { view } = trading
  const receipts = createReceipts(parts)
  const { find, completeReplay } = createOrderReader(db, receipts, view)

  mount(
    app,
    orderRoutes.placeOrder,
    async ({ body, member, key, request, reply }) => {
      const scope = toKeyScope(request, member, key)
      const fingerprint = idempotencyKeys.lockedFingerprint(scope)
      try {
        const { order, origin } = await trading.place({ ...member, key, fingerprint, order: body })
        const { head } = order
        if (head === undefined || origin === null) return order
        return receipts.sign({ order, memberId: member.memberId, head, origin })
      } catch (error) {
        const stored =
          error instanceof KeyUsedError
            ? await readOlderAnswer(idempotencyKeys, scope)
            : await resolveFailedCall({ db, keys: idempotencyKeys }, scope, request, error)
        return replayStored(reply, await completeReplay(stored, member))
      }
    },
    // The statement that places an order finds a used key itself, on whatever node it runs.
    { effectFindsKey: true, completeReplay },
  )

  mount(app, orderRoutes.orders, ({ member, query: { limit, cursor, ...filters } }) =>
    trading.list(member.memberId, filters, { limit, cursor }),
  )

  mount(app, orderRoutes.ordersCsv, async ({ member, query, reply }) => {
    const { clock, downloads } = app.requestContext
    const filters = { ...query, ...exportRange(query, clock.now()) }
    const pieces = ordersCsv(db, member.memberId, filters, view)
    return downloads.stream({ caller: member.memberId, reply }, { name: 'orders.csv', type: csvType, pieces })
  })

  mount(app, orderRoutes.order, ({ member, params }) => find(member.memberId, eq(orders.id, params.id)))

  // `Server-Time` is when the request arrived: a placement accepted before that still has its key locked, or is found.
  mount(app, orderRoutes.orderByKey, async ({ member: { memberId }, params }) => {
    const key = params.key.toLowerCase()
    await idempotencyKeys.waitUntilUnlocked(placementScope(memberId, key))
    if (cluster?.isLeading() === false) await cluster.remotePlacer.awaitPlacement(memberId, key)
    return find(memberId, eq(orders.key, key))
  })

  mount(app, orderRoutes.orderProof, async ({ member, params }) => {
    const { receipt, receiptSalt: _salt, ...order } = await find(member.memberId, eq(orders.id, params.id))
    return trading.prove(order, receipt)
  })
}

async function prove(
  { market, clock, cluster, publicLog }: TradingParts,
  order: Order,
  receipt: string | null,
): Promise<Proof> {
  if (!isFinal(order.status)) throw new ApiError('NOT_SETTLED')
  // What the leader knew when it settled the order: without it the proof would miss ticks or gaps.
  const settledAt = order.settledAt ?? 0
  await untilReached({ market, clock, cluster }, () => market.flushedAt() >= settledAt)
  return { ...(await buildProof({ market, publicLog }, order)), receipt }
}
