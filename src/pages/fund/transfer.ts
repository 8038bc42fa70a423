import { minor, type Minor } from '../../../contract/units.ts'
import { amountOf } from '../../../contract/amount.ts'
import {
  dayEarnings,
  nextTradingDay,
  parsePer10k,
  type Fund,
  type FundRules,
} from '../../../contract/fund.ts'
import { moneyOf } from '../../../contract/money.ts'
import { businessDay, type BusinessDay } from '../../../contract/time.ts'

export type TransferDirection = 'in' | 'out'
export type TransferMode = 'fast' | 'standard'

/** The default direction is `in`. */
export const directionOf = (query: URLSearchParams): TransferDirection =>
  query.get('direction') === 'out' ? 'out' : 'in'

/** Why an amount cannot be transferred; `max` and `min` are the bounds. */
export type AmountError =
  | { kind: 'empty' }
  | { kind: 'under'; min: Minor }
  | { kind: 'overAvailable' | 'overConfirmed' | 'overFast'; max: Minor }

/** Validates an amount to transfer in. */
export function depositAmountError(typed: string, available: Minor, rules: Pick<FundRules, 'minDeposit'>) {
  const amount = amountOf(typed)
  const min = moneyOf(rules.minDeposit)
  return (
    emptyError(amount) ??
    exceeds('overAvailable', amount, available) ??
    (amount !== undefined && amount < min ? ({ kind: 'under', min } as const) : undefined)
  )
}

/** Validates an amount to transfer out. */
export function withdrawalAmountError(
  typed: string,
  fund: Pick<Fund, 'confirmed' | 'fastLeft'>,
  mode: TransferMode,
) {
  const amount = amountOf(typed)
  return (
    emptyError(amount) ??
    exceeds('overConfirmed', amount, moneyOf(fund.confirmed)) ??
    (mode === 'fast' ? exceeds('overFast', amount, moneyOf(fund.fastLeft)) : undefined)
  )
}

const emptyError = (amount: Minor | undefined): AmountError | undefined =>
  amount === undefined || amount <= 0 ? { kind: 'empty' } : undefined

const exceeds = (
  kind: 'overAvailable' | 'overConfirmed' | 'overFast',
  amount: Minor | undefined,
  max: Minor,
): AmountError | undefined => (amount !== undefined && amount > max ? { kind, max } : undefined)

/** The most that can be transferred out in a mode. */
export function maxTransferOut(fund: Pick<Fund, 'confirmed' | 'fastLeft'>, mode: TransferMode): Minor {
  const confirmed = moneyOf(fund.confirmed)
  return mode === 'fast' ? minor(Math.min(confirmed, moneyOf(fund.fastLeft))) : confirmed
}

/** What an amount would earn in a day at yesterday's rate; undefined if either is unknown. */
export function dailyEarnings(typed: string, per10k: string): Minor | undefined {
  const amount = amountOf(typed)
  const units = parsePer10k(per10k)
  if (amount === undefined || units === undefined) return undefined
  return dayEarnings(amount, units, 0).earned
}

/**
 * The trading day that a transfer made now counts for: the day of the next cut-off.
 * @param offsetMs of the business calendar, because `cutoffAt` is venue time
 */
export const tradeDayOf = (fund: Pick<Fund, 'cutoffAt'>, offsetMs: number, zone: string): BusinessDay =>
  businessDay(fund.cutoffAt + offsetMs, zone)

/** The day at whose start a standard transfer out requested today is paid. */
export const payDayOf = (today: BusinessDay, rules: Pick<FundRules, 'holidays'>): BusinessDay =>
  nextTradingDay(today, new Set(rules.holidays))
