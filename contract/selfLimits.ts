import * as z from 'zod/mini'
import { route } from './route.ts'
import { amount, instant, money } from './schema.ts'
import { dayMs } from './time.ts'

/** Limits per business week (from Monday) and month, in addition to those per day. */
const longerLimits = {
  maxWeeklyLoss: z.nullable(amount),
  maxMonthlyLoss: z.nullable(amount),
  maxWeeklyDeposit: z.nullable(amount),
  maxMonthlyDeposit: z.nullable(amount),
}
/** Limits that members set for themselves; null is none. */
export const selfLimitFieldSchemas = {
  maxStake: z.nullable(amount),
  maxDailyLoss: z.nullable(amount),
  maxDailyDeposit: z.nullable(amount),
  ...longerLimits,
  excludedUntil: z.nullable(instant),
}
export const amountLimitFields = [
  'maxStake',
  'maxDailyLoss',
  'maxWeeklyLoss',
  'maxMonthlyLoss',
  'maxDailyDeposit',
  'maxWeeklyDeposit',
  'maxMonthlyDeposit',
] as const
export type AmountLimitField = (typeof amountLimitFields)[number]
export const selfLimitFields = [...amountLimitFields, 'excludedUntil'] as const
export type SelfLimitField = (typeof selfLimitFields)[number]
export const selfLimits = z.object({
  active: z.object(selfLimitFieldSchemas),
  pending: z.array(
    z.object({
      field: z.enum(selfLimitFields),
      value: z.nullable(z.union([money, instant])),
      effectiveAt: instant,
    }),
  ),
})
export type SelfLimits = z.infer<typeof selfLimits>
/** Limits per week and month that are left out stay as they are. */
export const putSelfLimitsBody = z.strictObject({
  ...selfLimitFieldSchemas,
  maxWeeklyLoss: z.optional(longerLimits.maxWeeklyLoss),
  maxMonthlyLoss: z.optional(longerLimits.maxMonthlyLoss),
  maxWeeklyDeposit: z.optional(longerLimits.maxWeeklyDeposit),
  maxMonthlyDeposit: z.optional(longerLimits.maxMonthlyDeposit),
})
export type PutSelfLimits = z.infer<typeof putSelfLimitsBody>

/** A looser limit takes effect after this long on the business calendar, to prevent impulsive decisions. */
export const looseningDelayMs = dayMs

/** Whether a limit is stricter than the current one: minor units, or an instant for `excludedUntil`; null is none. */
export function isTighter(field: SelfLimitField, requested: number | null, current: number | null): boolean {
  if (requested === null) return false
  if (current === null) return true
  return field === 'excludedUntil' ? requested > current : requested < current
}

export const selfLimitRoutes = {
  limits: route({
    method: 'GET',
    path: '/me/limits',
    summary: "The member's own limits",
    member: true,
    status: 200,
    answer: selfLimits,
  }),
  putLimits: route({
    method: 'PUT',
    path: '/me/limits',
    summary: "Set the member's own limits",
    member: true,
    body: putSelfLimitsBody,
    status: 200,
    answer: selfLimits,
  }),
}
