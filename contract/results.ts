import * as z from 'zod/mini'
import { breakEvenRate } from './money.ts'
import { directions } from './orders.ts'
import { route } from './route.ts'
import { instant, money, productId, queryInstant } from './schema.ts'
import { month } from './statements.ts'

/** Shares of fewer won and lost orders are not stated: they would say little and look like much. */
export const sharesMinOrders = 30

/**
 * How a member's own settled orders ended, added up. `orders` are all of them and `stake` their stakes; `pnl` is their
 * total profit or loss. Tied and refunded orders gave their stake back.
 */
const totals = {
  orders: z.int(),
  won: z.int(),
  lost: z.int(),
  tied: z.int(),
  refunded: z.int(),
  stake: money,
  pnl: money,
}
/**
 * Of the won and lost orders, in basis points: the share of won ones, its 95 % interval by Wilson, and the share at which
 * orders with their stakes and rates gain and lose nothing ({@link breakEvenShareBp}).
 */
export const resultShares = z.object({
  rightBp: z.int(),
  lowBp: z.int(),
  highBp: z.int(),
  breakEvenBp: z.int(),
})
export type ResultShares = z.infer<typeof resultShares>
/** `shares` is null with fewer than {@link sharesMinOrders} won and lost orders. */
const group = { ...totals, shares: z.nullable(resultShares) }
/** A curve has at most this many points; of more orders it shows every so many. */
export const curvePointsMax = 100
/** What the first `orders` settled ones won and lost together; `at` is when the last of them settled. */
export const curvePoint = z.object({ orders: z.int(), at: instant, pnl: money })
export type CurvePoint = z.infer<typeof curvePoint>
export const ownResults = z.object({
  total: z.object(group),
  /** The sum as it grew, in the order of settlement; the last point is `total`. Empty without orders. */
  curve: z.array(curvePoint),
  /** Most orders first. */
  byProduct: z.array(z.object({ productId, ...group })),
  /** Shortest first. */
  byDuration: z.array(z.object({ seconds: z.int(), ...group })),
  byDirection: z.array(z.object({ direction: z.enum(directions), ...group })),
  /** By the venue's zone; newest first. */
  byMonth: z.array(z.object({ month, ...group })),
})
export type OwnResults = z.infer<typeof ownResults>
export type ResultGroup = OwnResults['total']

/** The days of a month that have settled orders, ascending. `firstMonth` is that of the member's first settled order. */
export const resultDays = z.object({
  month,
  firstMonth: z.nullable(month),
  days: z.array(z.object({ on: z.string(), ...totals })),
})
export type ResultDays = z.infer<typeof resultDays>
export type ResultDay = ResultDays['days'][number]

/** The standard normal quantile of a two-sided 95 % interval. */
const z95 = 1.959964

/**
 * The 95 % interval by Wilson of the share of right ones, in basis points. Unlike the normal approximation it holds for
 * shares near 0 and 1, and for few orders.
 */
export function wilsonInterval(right: number, count: number): { lowBp: number; highBp: number } {
  const share = right / count
  const spread = z95 ** 2 / count
  const middle = (share + spread / 2) / (1 + spread)
  const half = (z95 / (1 + spread)) * Math.sqrt((share * (1 - share)) / count + spread / (4 * count))
  const bp = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000)
  return { lowBp: bp(middle - half), highBp: bp(middle + half) }
}

/**
 * The share of right orders at which their sum is zero, in basis points: with stakes s and the rates r that were accepted,
 * Σs ÷ Σs(1 + r). A won order counts with its stake, as a lost one does, so that large orders weigh more.
 * @param stake Σs of the won and lost orders, minor units
 * @param stakeTimesRate Σ s × r, minor units × basis points
 */
export const breakEvenShareBp = (stake: number, stakeTimesRate: number): number =>
  Math.round(breakEvenRate(stakeTimesRate / stake) * 10_000)

/** The shares of won and lost orders; null if they are too few. */
export function sharesOf(
  { won, lost }: Pick<ResultGroup, 'won' | 'lost'>,
  stake: number,
  stakeTimesRate: number,
): ResultShares | null {
  const decided = won + lost
  if (decided < sharesMinOrders) return null
  return {
    rightBp: Math.round((won / decided) * 10_000),
    ...wilsonInterval(won, decided),
    breakEvenBp: breakEvenShareBp(stake, stakeTimesRate),
  }
}

export const resultRoutes = {
  results: route({
    method: 'GET',
    path: '/me/results',
    summary: "The member's own results: in sum, by product, duration, direction and month",
    member: true,
    costly: true,
    query: z.strictObject({ from: queryInstant, to: queryInstant }),
    status: 200,
    answer: ownResults,
  }),
  resultDays: route({
    method: 'GET',
    path: '/me/results/days',
    summary: "The member's own results of a month, by day",
    member: true,
    query: z.strictObject({ month }),
    status: 200,
    answer: resultDays,
  }),
}
