import type { Pool } from 'pg'
import { hexToBytes } from '@noble/hashes/utils.js'
import { moneyOf } from '../../../contract/money.ts'
import { createBatchQueue } from '../../platform/batchQueue.ts'
import { isRejectedByDatabase, isUniqueViolation } from '../../platform/db/errors.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { withRetry } from '../../platform/db/retry.ts'
import { databaseTrouble } from '../../platform/db/trouble.ts'
import type { BalanceRow, BusinessCalendar, SelfLimitPolicy } from '../../money/index.ts'
import type { OrderRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { sharedTermsOf, type PublicLog, type Market } from '../../market/index.ts'
import type { Clock, PlaceCommand, PlacedOrder, Random } from '../../platform/ports.ts'
import type { VenueStatusStore } from '../venueStatus/venueStatus.ts'
import { preTradeCheck, validateShape } from './preTradeCheck.ts'
import { orderNo } from './orderNo.ts'
import { KeyUsedError } from './placementKey.ts'
import {
  findUsedKeys,
  isOvertakenByFlush,
  placeOrders,
  type DebitedBalances,
  type PlaceStatementInput,
} from './placeStatement.ts'
import { currentHead, toOrder } from './orderRow.ts'

export type PlacementParts = {
  pool: Pool
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Random
  calendar: BusinessCalendar
  market: Market
  venueStatus: Pick<VenueStatusStore, 'state'>
  /** The limits that members set for themselves: checked before the product, and again inside the debit. */
  selfLimits: Pick<SelfLimitPolicy, 'assertStakeAllowed' | 'businessNow'>
  publicLog: Pick<PublicLog, 'origin'>
  /** Called after the commit with the rows of one member and the balance after the last of them. */
  onPlaced: (rows: readonly OrderRow[], balance: BalanceRow) => void
  /** Called when a statement failed and may still have been committed. */
  onUnknownOutcome: (error: unknown) => void
}

/** Places an order. Throws an ApiError, or {@link KeyUsedError}. */
export type Place = (command: PlaceCommand) => Promise<PlacedOrder>

type QueuedPlacement = {
  command: PlaceCommand
  accept: (placed: PlacedOrder) => void
  reject: (error: unknown) => void
}
type PreparedPlacement = { queued: QueuedPlacement; input: PlaceStatementInput }
type BatchOutcome =
  | { debited: DebitedBalances }
  | { conflict: unknown }
  | { failure: unknown }
  | 'overtaken'
  | 'used'

/** The most orders in one commit; more wait for the next. */
const batchMax = 128
/** If more orders wait, the next gets `UNAVAILABLE`: an order must not wait long in the queue. */
const queueMax = 2000
/** A batch that flushes overtake this often is rejected: the clock of this process is behind the log. */
const attemptsMax = 20

/**
 * Orders that wait together commit together. An order is checked at the debit, not on arrival, so that waiting cannot give
 * it a stale acceptance time.
 */
export function createPlacement(parts: PlacementParts): Place {
  const { clock, selfLimits } = parts
  const queue = createBatchQueue<QueuedPlacement>(async (batch) => {
    try {
      await placeBatch(parts, batch)
    } catch (error) {
      parts.onUnknownOutcome(error)
      for (const { reject } of batch) reject(error)
    }
  }, batchMax)

  return async (command) => {
    validateShape(command.order, clock.now())
    await selfLimits.assertStakeAllowed(command.memberId, moneyOf(command.order.amount))
    if (queue.waiting >= queueMax) throw new ApiError('UNAVAILABLE')
    return new Promise((accept, reject) => queue.push({ command, accept, reject }))
  }
}

async function placeBatch(
  parts: PlacementParts,
  batch: readonly QueuedPlacement[],
  attempts = 1,
): Promise<void> {
  const ready = batch.flatMap((queued) => prepare(parts, queued))
  if (ready.length === 0) return
  const outcome = await executeBatch(parts, ready)
  if (outcome === 'overtaken') {
    // A flush was committed while the statement was in flight: check the orders again, at a later instant.
    const retried = ready.map(({ queued }) => queued)
    if (attempts < attemptsMax) await placeBatch(parts, retried, attempts + 1)
    else for (const { reject } of retried) reject(new ApiError('UNAVAILABLE'))
  } else if (outcome === 'used') await resolveConflict(parts, ready, new KeyUsedError())
  else if ('failure' in outcome) {
    parts.onUnknownOutcome(outcome.failure)
    for (const { queued } of ready) queued.reject(answerable(outcome.failure))
  } else if ('conflict' in outcome) await resolveConflict(parts, ready, outcome.conflict)
  else await reportBatch(parts, ready, outcome.debited)
}

async function reportBatch(
  parts: PlacementParts,
  ready: readonly PreparedPlacement[],
  debited: DebitedBalances,
): Promise<void> {
  // In the next turn: the statement of the batch that waits is on its way before these answers are written.
  setImmediate(() => reportPlaced(parts, ready, debited))
  const insufficient = ready.filter(({ input }) => !debited.has(input.row.memberId))
  if (ready.length > 1) await placeOneByOne(parts, insufficient)
  else for (const { queued } of insufficient) queued.reject(await explainInsufficient(parts, queued.command))
}

function reportPlaced(
  parts: PlacementParts,
  ready: readonly PreparedPlacement[],
  debited: DebitedBalances,
): void {
  for (const [memberId, balance] of debited) {
    const ofMember = ready.filter(({ input }) => input.row.memberId === memberId)
    try {
      parts.onPlaced(
        ofMember.map(({ input }) => input.row),
        balance,
      )
      for (const { queued, input } of ofMember) queued.accept(input.placed)
    } catch (error) {
      parts.onUnknownOutcome(error)
      for (const { queued } of ofMember) queued.reject(error)
    }
  }
}

/**
 * What the database itself rejected, as a full one does, is certainly not placed: that can be answered at once, also to
 * another node, which would otherwise request it again.
 */
const answerable = (failure: unknown): unknown =>
  isRejectedByDatabase(failure) && databaseTrouble(failure) !== null
    ? new ApiError('UNAVAILABLE', { cause: failure })
    : failure

/** The error for an order that was not debited: a limit was reached while it waited, or the balance is too low. */
const explainInsufficient = (
  { selfLimits }: PlacementParts,
  { memberId, order }: PlaceCommand,
): Promise<unknown> =>
  selfLimits.assertStakeAllowed(memberId, moneyOf(order.amount), true).then(
    () => new ApiError('INSUFFICIENT_BALANCE'),
    (apiError: unknown) => apiError,
  )

/** Rejects the requests whose key was used, and places the others. Draws a new number if an order number exists. */
async function resolveConflict(
  parts: PlacementParts,
  ready: readonly PreparedPlacement[],
  conflict: unknown,
): Promise<void> {
  const used = await findUsedKeys(
    parts.pool,
    ready.map(({ input }) => input.row),
  )
  if (used.size > 0) {
    for (const { queued, input } of ready) if (used.has(input.row.id)) queued.reject(new KeyUsedError())
    const others = ready.filter(({ input }) => !used.has(input.row.id))
    return placeBatch(
      parts,
      others.map(({ queued }) => queued),
    )
  }
  if (ready.length > 1 || isUniqueViolation(conflict, 'orders_no_unique')) return placeOneByOne(parts, ready)
  for (const { queued } of ready) queued.reject(conflict)
}

/** Retries each order alone if the batch failed as a whole: the sum was too large, or a number conflicted. */
async function placeOneByOne(parts: PlacementParts, ready: readonly PreparedPlacement[]): Promise<void> {
  for (const { queued } of ready) await placeBatch(parts, [queued])
}

/** The order as it would be accepted now; empty if it is rejected, which is reported at once. */
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
  const inputs = ready.map(({ input }) => input)
  try {
    const debited = await withRetry(() =>
      placeOrders(parts, inputs, { today: calendar.dayOf(clock.now()), now: selfLimits.businessNow() }),
    )
    return typeof debited === 'string' ? debited : { debited }
  } catch (error) {
    if (isOvertakenByFlush(error)) return 'overtaken'
    return isUniqueViolation(error) ? { conflict: error } : { failure: error }
  }
}

function toStatementInput(
  { clock, market, venueStatus, random, calendar, publicLog }: PlacementParts,
  command: PlaceCommand,
): PlaceStatementInput {
  const { order, memberId, key, fingerprint } = command
  const { settings, amount, acceptedAt, closeAt } = preTradeCheck({ market, venueStatus }, order, clock.now())
  const head = currentHead(market, order.productId)
  const origin = publicLog.origin()
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
    ...sharedTermsOf(settings, market.sources(order.productId).at(-1)?.fingerprint ?? ''),
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
    exitValue: null,
    exitSum: null,
    exitTicks: null,
    exitFrom: null,
    exitTo: null,
    settledAt: null,
    payout: null,
    reason: null,
    version: 1,
    headSeq: head.seq,
    headHash: hexToBytes(head.hash),
    logOrigin: origin,
  }
  // The same answer for the response and for the key: a replay must return the head of the first response.
  const accepted = { ...toOrder(row, acceptedAt), head }
  return { row, fingerprint, placed: { order: accepted, origin }, answer: JSON.stringify(accepted) }
}
