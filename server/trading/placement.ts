import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ruleName } from '../../contract/constants.ts'
import { moneyOf } from '../../contract/money.ts'
import type { Order, PlaceOrder } from '../../contract/orders.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Fence } from '../db/fence.ts'
import { withRetry } from '../db/retry.ts'
import type { BalanceRow } from '../db/schema/ledger.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { Refusal } from '../http/refusal.ts'
import type { BusinessCalendar } from '../ledger/calendar.ts'
import type { MemberLimits } from '../limits/limits.ts'
import type { Clock, Market, Random } from '../ports.ts'
import type { Site } from '../site/siteStatus.ts'
import { judge, judgeShape } from './judge.ts'
import { orderNo } from './orderNo.ts'
import { isOvertakenByFlush, placeOrders } from './placeStatement.ts'
import type { Debited, Placing } from './placeStatement.ts'
import { headNow, orderOf } from './row.ts'

/** What a member asks for, with the key that it came under. */
export type Intent = { memberId: string; key: string; fingerprint: string; order: PlaceOrder }

export type PlacementParts = {
  pool: Pool
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Random
  calendar: BusinessCalendar
  market: Market
  site: Pick<Site, 'state'>
  /** What members set for themselves: asked before the product, and again inside the debit. */
  limits: Pick<MemberLimits, 'refuseStake' | 'now'>
  /** Told once orders are committed: the rows of one member, and the balance after the last of them. */
  onPlaced: (rows: readonly OrderRow[], balance: BalanceRow) => void
  /** A statement failed in a way that leaves open whether it was committed. */
  onUnknown: (error: unknown) => void
}

/**
 * Places an order. Throws a Refusal, or a unique violation where the key has placed an order already (a twin in
 * another process was first).
 */
export type Place = (intent: Intent) => Promise<Order>

type Waiting = { intent: Intent; done: (order: Order) => void; refused: (error: unknown) => void }
type Ready = { waiting: Waiting; placing: Placing }
type Outcome = { debited: Debited } | { conflict: unknown } | { failure: unknown } | 'overtaken'

/** One commit carries at most this many orders; more wait for the next. */
const batchMax = 128
/** More waiting than this is 503: an order must not grow old in a queue. */
const waitingMax = 2000
/** A batch that flushes overtake this often is refused: the clock of this process is behind the log. */
const triesMax = 20

/**
 * Orders that wait together commit together: while one statement is on its way, the next batch gathers. An intent is
 * judged at the debit, not when it came in, so that waiting cannot make it fill at a stale moment.
 */
export function createPlacement(parts: PlacementParts): Place {
  const { clock, limits } = parts
  const queue: Waiting[] = []
  let draining = false

  const drain = async (): Promise<void> => {
    draining = true
    // Requests that are read in this turn of the loop come along.
    await nextTurn()
    while (queue.length > 0) {
      const batch = queue.splice(0, batchMax)
      try {
        await placeBatch(batch)
      } catch (error) {
        parts.onUnknown(error)
        for (const { refused } of batch) refused(error)
      }
    }
    draining = false
  }

  const placeBatch = async (batch: readonly Waiting[], tries = 1): Promise<void> => {
    const ready = batch.flatMap((waiting) => readyOf(parts, waiting))
    if (ready.length === 0) return
    const outcome = await attempt(parts, ready)
    if (outcome === 'overtaken') {
      // A flush was committed while the statement was on its way: judged anew, at a later instant.
      const again = ready.map(({ waiting }) => waiting)
      if (tries < triesMax) await placeBatch(again, tries + 1)
      else for (const { refused } of again) refused(new Refusal(503, 'UNAVAILABLE'))
    } else if ('failure' in outcome) {
      parts.onUnknown(outcome.failure)
      for (const { waiting } of ready) waiting.refused(outcome.failure)
    } else if ('conflict' in outcome) await resolveConflict(ready, outcome.conflict)
    else await settleBatch(ready, outcome.debited)
  }

  const settleBatch = async (ready: readonly Ready[], debited: Debited): Promise<void> => {
    for (const [memberId, balance] of debited) {
      const own = ready.filter(({ placing }) => placing.row.memberId === memberId)
      parts.onPlaced(
        own.map(({ placing }) => placing.row),
        balance,
      )
      for (const { waiting, placing } of own) waiting.done(placing.order)
    }
    const short = ready.filter(({ placing }) => !debited.has(placing.row.memberId))
    if (ready.length > 1) await oneByOne(short)
    else for (const { waiting } of short) waiting.refused(await whyShort(waiting.intent))
  }

  /** Not debited: a limit was reached while the order waited, else the balance does not suffice. */
  const whyShort = ({ memberId, order }: Intent): Promise<unknown> =>
    limits.refuseStake(memberId, moneyOf(order.amount)).then(
      () => new Refusal(422, 'INSUFFICIENT_BALANCE'),
      (refusal: unknown) => refusal,
    )

  /** A number that exists is drawn again; a key that exists is told to who asked. */
  const resolveConflict = async (ready: readonly Ready[], conflict: unknown): Promise<void> => {
    const again = ready.length > 1 || isUniqueViolation(conflict, 'orders_no_unique')
    if (again) await oneByOne(ready)
    else for (const { waiting } of ready) waiting.refused(conflict)
  }

  /** What a batch cannot decide for all of its orders is decided for each: a sum too large, a conflict of one. */
  const oneByOne = async (ready: readonly Ready[]): Promise<void> => {
    for (const { waiting } of ready) await placeBatch([waiting])
  }

  return async (intent) => {
    judgeShape(intent.order, clock.now())
    await limits.refuseStake(intent.memberId, moneyOf(intent.order.amount))
    if (queue.length >= waitingMax) throw new Refusal(503, 'UNAVAILABLE')
    return new Promise((done, refused) => {
      queue.push({ intent, done, refused })
      if (!draining) void drain()
    })
  }
}

/** The order as it would be accepted now; none where it is refused, which is told at once. */
function readyOf(parts: PlacementParts, waiting: Waiting): Ready[] {
  try {
    return [{ waiting, placing: placingOf(parts, waiting.intent) }]
  } catch (error) {
    waiting.refused(error)
    return []
  }
}

async function attempt(parts: PlacementParts, ready: readonly Ready[]): Promise<Outcome> {
  const { limits, calendar, clock } = parts
  const placing = ready.map((one) => one.placing)
  try {
    return {
      debited: await withRetry(() =>
        placeOrders(parts, placing, { today: calendar.dayOf(clock.now()), now: limits.now() }),
      ),
    }
  } catch (error) {
    if (isOvertakenByFlush(error)) return 'overtaken'
    return isUniqueViolation(error) ? { conflict: error } : { failure: error }
  }
}

function placingOf({ clock, market, site, random, calendar }: PlacementParts, intent: Intent): Placing {
  const { order, memberId, key, fingerprint } = intent
  const { settings, amount, acceptedAt, closeAt } = judge({ market, site }, order, clock.now())
  const row: OrderRow = {
    id: random.uuid(),
    no: orderNo(calendar.dayOf(acceptedAt), random),
    memberId,
    key,
    productId: order.productId,
    direction: order.direction,
    amount,
    seconds: order.seconds,
    rateBp: order.rateBp,
    rule: ruleName,
    priceDecimals: settings.priceDecimals,
    entryTimeoutMs: settings.entryTimeoutMs,
    maxTickGapMs: settings.maxTickGapMs,
    source: market.sources(order.productId).at(-1)?.fingerprint ?? '',
    acceptedAt,
    validUntil: order.validUntil,
    closeAt,
    status: 'accepted',
    entrySeq: null,
    entryAt: null,
    entryPrice: null,
    exitSeq: null,
    exitAt: null,
    exitPrice: null,
    settledAt: null,
    payout: null,
    reason: null,
    version: 1,
  }
  // One answer for the caller and for the key: a replay must hand out the head that the first one did.
  const placed = { ...orderOf(row, acceptedAt), head: headNow(market, order.productId) }
  return { row, fingerprint, order: placed, answer: JSON.stringify(placed) }
}
