import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ruleName } from '../../contract/constants.ts'
import { moneyOf } from '../../contract/money.ts'
import type { Order, PlaceRequest } from '../../contract/orders.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Fence } from '../db/fence.ts'
import { withRetry } from '../db/retry.ts'
import type { BalanceRow } from '../db/schema/ledger.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { ApiError } from '../apiError.ts'
import type { BusinessCalendar } from '../ledger/businessCalendar.ts'
import type { SelfLimitPolicy } from '../selfLimits/selfLimits.ts'
import type { Clock, Market, Random } from '../ports.ts'
import type { VenueStatusStore } from '../venueStatus/venueStatus.ts'
import { preTradeCheck, validateShape } from './preTradeCheck.ts'
import { orderNo } from './orderNo.ts'
import { isOvertakenByFlush, placeOrders } from './placeStatement.ts'
import type { DebitedBalances, PlaceStatementInput } from './placeStatement.ts'
import { currentHead, toOrder } from './orderRow.ts'

/** What a member asks for, with the key that it came under. */
export type PlaceCommand = { memberId: string; key: string; fingerprint: string; order: PlaceRequest }

export type PlacementParts = {
  pool: Pool
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Random
  calendar: BusinessCalendar
  market: Market
  venueStatus: Pick<VenueStatusStore, 'state'>
  /** What members set for themselves: asked before the product, and again inside the debit. */
  selfLimits: Pick<SelfLimitPolicy, 'assertStakeAllowed' | 'businessNow'>
  /** Told once orders are committed: the rows of one member, and the balance after the last of them. */
  onPlaced: (rows: readonly OrderRow[], balance: BalanceRow) => void
  /** A statement failed in a way that leaves open whether it was committed. */
  onUnknownOutcome: (error: unknown) => void
}

/**
 * Places an order. Throws a Refusal, or a unique violation where the key has placed an order already (a twin in
 * another process was first).
 */
export type Place = (command: PlaceCommand) => Promise<Order>

type QueuedPlacement = {
  command: PlaceCommand
  accept: (order: Order) => void
  reject: (error: unknown) => void
}
type PreparedPlacement = { queued: QueuedPlacement; input: PlaceStatementInput }
type BatchOutcome = { debited: DebitedBalances } | { conflict: unknown } | { failure: unknown } | 'overtaken'

/** One commit carries at most this many orders; more wait for the next. */
const batchMax = 128
/** More waiting than this is 503: an order must not grow old in a queue. */
const queueMax = 2000
/** A batch that flushes overtake this often is refused: the clock of this process is behind the log. */
const attemptsMax = 20

/**
 * Orders that wait together commit together: while one statement is on its way, the next batch gathers. An intent is
 * judged at the debit, not when it came in, so that waiting cannot make it fill at a stale moment.
 */
export function createPlacement(parts: PlacementParts): Place {
  const { clock, selfLimits } = parts
  const queue: QueuedPlacement[] = []
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
        parts.onUnknownOutcome(error)
        for (const { reject } of batch) reject(error)
      }
    }
    draining = false
  }

  const placeBatch = async (batch: readonly QueuedPlacement[], attempts = 1): Promise<void> => {
    const ready = batch.flatMap((queued) => prepare(parts, queued))
    if (ready.length === 0) return
    const outcome = await executeBatch(parts, ready)
    if (outcome === 'overtaken') {
      // A flush was committed while the statement was on its way: judged anew, at a later instant.
      const retried = ready.map(({ queued }) => queued)
      if (attempts < attemptsMax) await placeBatch(retried, attempts + 1)
      else for (const { reject } of retried) reject(new ApiError(503, 'UNAVAILABLE'))
    } else if ('failure' in outcome) {
      parts.onUnknownOutcome(outcome.failure)
      for (const { queued } of ready) queued.reject(outcome.failure)
    } else if ('conflict' in outcome) await resolveConflict(ready, outcome.conflict)
    else await reportBatch(ready, outcome.debited)
  }

  const reportBatch = async (
    ready: readonly PreparedPlacement[],
    debited: DebitedBalances,
  ): Promise<void> => {
    for (const [memberId, balance] of debited) {
      const ofMember = ready.filter(({ input }) => input.row.memberId === memberId)
      parts.onPlaced(
        ofMember.map(({ input }) => input.row),
        balance,
      )
      for (const { queued, input } of ofMember) queued.accept(input.order)
    }
    const insufficient = ready.filter(({ input }) => !debited.has(input.row.memberId))
    if (ready.length > 1) await placeOneByOne(insufficient)
    else for (const { queued } of insufficient) queued.reject(await explainInsufficient(queued.command))
  }

  /** Not debited: a limit was reached while the order waited, else the balance does not suffice. */
  const explainInsufficient = ({ memberId, order }: PlaceCommand): Promise<unknown> =>
    selfLimits.assertStakeAllowed(memberId, moneyOf(order.amount)).then(
      () => new ApiError(422, 'INSUFFICIENT_BALANCE'),
      (apiError: unknown) => apiError,
    )

  /** A number that exists is drawn again; a key that exists is told to who asked. */
  const resolveConflict = async (ready: readonly PreparedPlacement[], conflict: unknown): Promise<void> => {
    const mustRetry = ready.length > 1 || isUniqueViolation(conflict, 'orders_no_unique')
    if (mustRetry) await placeOneByOne(ready)
    else for (const { queued } of ready) queued.reject(conflict)
  }

  /** What a batch cannot decide for all of its orders is decided for each: a sum too large, a conflict of one. */
  const placeOneByOne = async (ready: readonly PreparedPlacement[]): Promise<void> => {
    for (const { queued } of ready) await placeBatch([queued])
  }

  return async (command) => {
    validateShape(command.order, clock.now())
    await selfLimits.assertStakeAllowed(command.memberId, moneyOf(command.order.amount))
    if (queue.length >= queueMax) throw new ApiError(503, 'UNAVAILABLE')
    return new Promise((accept, reject) => {
      queue.push({ command, accept, reject })
      if (!draining) void drain()
    })
  }
}

/** The order as it would be accepted now; none where it is refused, which is told at once. */
function prepare(parts: PlacementParts, queued: QueuedPlacement): PreparedPlacement[] {
  try {
    return [{ queued, input: toStatementInput(parts, queued.command) }]
  } catch (error) {
    queued.reject(error)
    return []
  }
}

async function executeBatch(
  parts: PlacementParts,
  ready: readonly PreparedPlacement[],
): Promise<BatchOutcome> {
  const { selfLimits, calendar, clock } = parts
  const inputs = ready.map((one) => one.input)
  try {
    return {
      debited: await withRetry(() =>
        placeOrders(parts, inputs, { today: calendar.dayOf(clock.now()), now: selfLimits.businessNow() }),
      ),
    }
  } catch (error) {
    if (isOvertakenByFlush(error)) return 'overtaken'
    return isUniqueViolation(error) ? { conflict: error } : { failure: error }
  }
}

function toStatementInput(
  { clock, market, venueStatus, random, calendar }: PlacementParts,
  command: PlaceCommand,
): PlaceStatementInput {
  const { order, memberId, key, fingerprint } = command
  const { settings, amount, acceptedAt, closeAt } = preTradeCheck(
    { market, site: venueStatus },
    order,
    clock.now(),
  )
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
  const answered = { ...toOrder(row, acceptedAt), head: currentHead(market, order.productId) }
  return { row, fingerprint, order: answered, answer: JSON.stringify(answered) }
}
