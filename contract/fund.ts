import * as z from 'zod/mini'
import { minor, type Minor } from './units.ts'
import { hasTransactionConfirmation, transactionConfirmation } from './passkeys.ts'
import { route } from './route.ts'
import { amount, id, instant, listOf, money, pageQuery, queryInt } from './schema.ts'
import { addDays, atTime, businessDay, type BusinessDay } from './time.ts'

/** A deposit before this hour of a trading day counts for that day. */
export const cutoffHour = 15
/** `confirmed (cents) × per10k (four decimals)` is in units of 1 / this many of a cent. */
const earningScale = 100_000_000n

/** Trading days are Monday to Friday, except the holidays named in the venue's settings. */
export function isTradingDay(day: BusinessDay, holidays: ReadonlySet<BusinessDay>): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(day)
}

/** The first trading day after `day`. */
export function nextTradingDay(day: BusinessDay, holidays: ReadonlySet<BusinessDay>): BusinessDay {
  let next = addDays(day, 1)
  while (!isTradingDay(next, holidays)) next = addDays(next, 1)
  return next
}

export type DepositDates = { confirmOn: BusinessDay; firstEarningOn: BusinessDay; firstCreditOn: BusinessDay }

/**
 * When a deposit of the business instant `at` is confirmed, first earns and is first credited: before 15:00 of a
 * trading day it confirms on the next trading day; otherwise it counts as made on the next trading day. A day's
 * earnings are credited when the day is over.
 */
export function depositDates(at: number, zone: string, holidays: ReadonlySet<BusinessDay>): DepositDates {
  const day = businessDay(at, zone)
  const inTime = isTradingDay(day, holidays) && at < cutoffOf(day, zone)
  const tradeDay = inTime ? day : nextTradingDay(day, holidays)
  const confirmOn = nextTradingDay(tradeDay, holidays)
  return { confirmOn, firstEarningOn: confirmOn, firstCreditOn: addDays(confirmOn, 1) }
}

/** 15:00 of a business day, as an instant of the business calendar. */
export const cutoffOf = (day: BusinessDay, zone: string): number => atTime(day, cutoffHour * 60, zone)

/** `"0.5678"` → 5678; undefined for anything but four decimals. */
export function parsePer10k(text: string): number | undefined {
  return /^\d{1,4}\.\d{4}$/.test(text) ? Number(text.replace('.', '')) : undefined
}

/**
 * One day's earnings: confirmed / 10,000 × per10k, rounded down to the cent; the remainder is carried to the next day.
 * `carried` counts hundred-millionths of a cent.
 */
export function dayEarnings(
  confirmed: Minor,
  per10kUnits: number,
  carried: number,
): { earned: Minor; carried: number } {
  const exact = BigInt(confirmed) * BigInt(per10kUnits) + BigInt(carried)
  return { earned: minor(Number(exact / earningScale)), carried: Number(exact % earningScale) }
}

/** The annual rate in basis points from the past seven days' per10k (units of 1/10,000), or from fewer days. */
export function annualisedBp(per10kUnits: readonly number[]): number {
  if (per10kUnits.length === 0) return 0
  const sum = per10kUnits.reduce((total, units) => total + units, 0)
  return Math.round((sum * 365) / (per10kUnits.length * 10_000))
}

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const per10k = z.string().check(z.regex(/^\d{1,4}\.\d{4}$/))

export const fund = z.object({
  total: money,
  confirmed: money,
  pending: money,
  yesterdayEarnings: money,
  totalEarnings: money,
  per10k,
  rate7dBp: z.int(),
  depositsLeft: z.int(),
  withdrawalsLeft: z.int(),
  fastLeft: money,
  cutoffAt: instant,
  resetAt: instant,
  nextConfirmOn: day,
  nextEarningOn: day,
  nextCreditOn: day,
  version: z.int(),
})
export type Fund = z.infer<typeof fund>

export const fundDepositAnswer = z.object({
  id,
  amount: money,
  status: z.enum(['pending_review', 'confirmed']),
  confirmOn: day,
  firstEarningOn: day,
  firstCreditOn: day,
})

export const fundRecord = z.object({
  id,
  at: instant,
  /** The business day of `at`: practice mode moves the calendar, never the clock. */
  madeOn: day,
  kind: z.enum(['deposit', 'withdrawal', 'earning']),
  mode: z.nullable(z.enum(['fast', 'standard'])),
  amount: money,
  status: z.enum(['pending_review', 'confirmed', 'under_review', 'successful']),
  onDay: z.nullable(day),
})
export type FundRecord = z.infer<typeof fundRecord>

/** One deposit; or, once a member has earned, the one lot that collects all earnings and is used last. */
export const fundLot = z.object({
  id,
  kind: z.enum(['deposit', 'earnings']),
  amount: money,
  remaining: money,
  status: z.enum(['pending_review', 'confirmed']),
  depositedAt: instant,
  /** The business day of `depositedAt`. */
  depositedOn: day,
  confirmOn: day,
  firstEarningOn: day,
  firstCreditOn: day,
})
export type FundLot = z.infer<typeof fundLot>

export const fundRules = z.object({
  zone: z.string(),
  cutoffHour: z.int(),
  depositsPerDay: z.int(),
  withdrawalsPerDay: z.int(),
  fastCapPerDay: money,
  minDeposit: money,
  holidays: z.array(day),
  practice: z.boolean(),
})
export type FundRules = z.infer<typeof fundRules>

export const fundRoutes = {
  fund: route({
    method: 'GET',
    path: '/fund',
    summary: 'The balance fund',
    member: true,
    status: 200,
    answer: fund,
  }),
  depositIntoFund: route({
    method: 'POST',
    path: '/fund/deposits',
    summary: 'Transfer into the fund',
    member: true,
    unlessFrozen: true,
    keyed: true,
    body: z.strictObject({ amount }),
    status: 201,
    answer: fundDepositAnswer,
  }),
  withdrawFromFund: route({
    method: 'POST',
    path: '/fund/withdrawals',
    summary: 'Transfer out of the fund',
    member: true,
    unlessFrozen: true,
    keyed: true,
    body: z
      .strictObject({ amount, mode: z.enum(['fast', 'standard']), ...transactionConfirmation })
      .check(hasTransactionConfirmation),
    status: 201,
    answer: fundRecord,
  }),
  fundLots: route({
    method: 'GET',
    path: '/fund/lots',
    summary: 'Lots of the fund',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(fundLot),
  }),
  fundRecords: route({
    method: 'GET',
    path: '/fund/records',
    summary: 'Transfers and earnings',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(fundRecord),
  }),
  fundEarnings: route({
    method: 'GET',
    path: '/fund/earnings',
    summary: 'Earnings by day',
    member: true,
    query: z.strictObject({
      ...pageQuery,
      month: z.optional(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/))),
    }),
    status: 200,
    answer: listOf(z.object({ on: day, amount: money, confirmed: money, per10k })),
  }),
  fundRates: route({
    method: 'GET',
    path: '/fund/rates',
    summary: 'The fund rate by day',
    member: true,
    query: z.strictObject({ ...pageQuery, days: z.optional(queryInt(1, 365)) }),
    status: 200,
    answer: listOf(z.object({ on: day, per10k, rate7dBp: z.int() })),
  }),
  fundRules: route({
    method: 'GET',
    path: '/fund/rules',
    summary: 'The rules that the venue enforces',
    member: true,
    status: 200,
    answer: fundRules,
  }),
}
