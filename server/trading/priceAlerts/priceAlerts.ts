import { and, count, desc, eq, lt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { parsePrice } from '../../../contract/price.ts'
import {
  alertRises,
  openAlertsMax,
  priceAlertRoutes,
  type AlertKind,
  type PriceAlert,
} from '../../../contract/priceAlerts.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Committed } from '../../platform/committed.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { member } from '../../platform/db/schema.ts'
import { priceAlert } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { mountIdempotent } from '../../platform/idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../../platform/idempotency/idempotencyKeys.ts'
import type { Messages, Push } from '../../notices/index.ts'
import type { Core, Module } from '../../platform/module.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Market } from '../../market/index.ts'
import type { WaitingAlert } from './alertJudge.ts'
import { toPriceAlert } from './alertRow.ts'
import { createJudging } from './judging.ts'

export type PriceAlertsParts = Pick<Core, 'clock' | 'random' | 'bus' | 'cluster' | 'report'> & {
  db: Db
  fence: Fence
  market: Market
  messages: Pick<Messages, 'prepare' | 'publish'>
  push: Pick<Push, 'onStored'>
  idempotencyKeys: IdempotencyKeys
}

export type NewAlert = { productId: string; kind: AlertKind; price: string }

/** Alerts of members at a product's price, reported once each: the leader judges them by the committed ticks. */
export type PriceAlerts = {
  /** Those that wait, newest first. */
  list(memberId: string, page: PageRequest): Promise<PagedList<PriceAlert>>
}

export function createPriceAlerts(parts: PriceAlertsParts): PriceAlerts & Module {
  const { db, bus } = parts
  const publish = (alert: WaitingAlert, status: PriceAlert['status']): void =>
    bus.emit(alert.memberId, 'alert', toPriceAlert(alert, status))
  const judging = createJudging({ ...parts, onReached: (alert) => publish(alert, 'reached') })
  const list: PriceAlerts['list'] = (memberId, page) => readWaiting(db, memberId, page)
  const create = async (
    tx: DbTransaction,
    memberId: string,
    alert: NewAlert,
  ): Promise<Committed<PriceAlert>> => {
    const row = await insertAlert(parts, tx, memberId, alert)
    const afterCommit = (): void => {
      judging.follow(row)
      publish(row, 'waiting')
    }
    return { answer: toPriceAlert(row), afterCommit }
  }
  const remove = async (memberId: string, id: string): Promise<void> => {
    const own = and(eq(priceAlert.id, id), eq(priceAlert.memberId, memberId))
    const [row] = await db.delete(priceAlert).where(own).returning()
    if (!row) throw new ApiError('NOT_FOUND')
    judging.forget(row)
    publish(row, 'removed')
  }
  const { start, stop, jobs } = judging
  return { list, mount: (app) => mountRoutes(app, parts, { list, create, remove }), start, stop, jobs }
}

type Calls = PriceAlerts & {
  create: (tx: DbTransaction, memberId: string, alert: NewAlert) => Promise<Committed<PriceAlert>>
  remove: (memberId: string, id: string) => Promise<void>
}

function mountRoutes(app: FastifyInstance, parts: PriceAlertsParts, calls: Calls): void {
  mount(app, priceAlertRoutes.priceAlerts, ({ member: { memberId }, query }) => calls.list(memberId, query))
  mountIdempotent(app, parts, priceAlertRoutes.createPriceAlert, (tx, { member: { memberId }, body }) =>
    calls.create(tx, memberId, body),
  )
  mount(app, priceAlertRoutes.removePriceAlert, async ({ member: { memberId }, params }) => {
    await calls.remove(memberId, params.id)
    return undefined
  })
}

async function readWaiting(
  db: Db,
  memberId: string,
  { limit, cursor }: PageRequest,
): Promise<PagedList<PriceAlert>> {
  const after = readCursor(cursor)
  const rows = await db
    .select()
    .from(priceAlert)
    .where(and(eq(priceAlert.memberId, memberId), after ? lt(priceAlert.no, after[0]) : undefined))
    .orderBy(desc(priceAlert.no))
    .limit(limit + 1)
  return toPagedList(
    rows,
    limit,
    (row) => toPriceAlert(row),
    ({ no }) => [no, ''],
  )
}

/**
 * Throws `NOT_FOUND` without such a product, `VALIDATION` for a price that it cannot have, `FEED_STALE` before its first
 * price, `ALERT_REACHED` if the price is reached already, and `ALERT_LIMIT`.
 */
async function insertAlert(
  { clock, random, market }: PriceAlertsParts,
  tx: DbTransaction,
  memberId: string,
  { productId, kind, price: text }: NewAlert,
): Promise<WaitingAlert> {
  const settings = market.settings(productId)
  if (!settings || settings.witnessOf !== undefined) throw new ApiError('NOT_FOUND')
  const { priceDecimals } = settings
  const price = parsePrice(text, priceDecimals)
  if (price === undefined) throw new ApiError('VALIDATION', { fields: { price: 'INVALID' } })
  // Locks the member, so that alerts created at the same time count.
  await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
  // Both of one moment: the price is that of the newest tick.
  const [{ last: lastText }, { seq: afterSeq }] = [market.ticker(productId), market.head(productId)]
  const last = parsePrice(lastText, priceDecimals)
  if (last === undefined) throw new ApiError('FEED_STALE')
  const rises = alertRises(kind, price, last)
  if (rises === undefined) throw new ApiError('ALERT_REACHED', { params: { last: lastText } })
  const [waiting] = await tx
    .select({ count: count() })
    .from(priceAlert)
    .where(eq(priceAlert.memberId, memberId))
  if ((waiting?.count ?? 0) >= openAlertsMax)
    throw new ApiError('ALERT_LIMIT', { params: { max: openAlertsMax } })
  const row = {
    id: random.uuid(),
    memberId,
    productId,
    kind,
    rises,
    price,
    priceDecimals,
    createdAt: clock.now(),
    afterSeq,
    joined: false,
  }
  await tx.insert(priceAlert).values(row)
  return row
}
