import * as z from 'zod/mini'
import { amountMax } from '../constants.ts'
import { depositMethod } from '../deposits.ts'
import { parseMoney } from '../money.ts'
import { route, type Route } from '../route.ts'
import { money } from '../schema.ts'
import { proposed } from './fourEyes.ts'

/** The limits in force, other than those of each product (`products.list`) and those that members set for themselves. */
const venueLimits = z.object({
  currency: z.string(),
  withdrawals: z.object({
    /** The largest amount of one request. */
    max: money,
    /** Two persons decide if a request and what one has decided alone of its member in the last 24 hours are above it. */
    twoPersonsAbove: money,
    /** The same for all members together. */
    twoPersonsAboveInAll: money,
    /** How many times the amount of one member that is, which it then follows; null if the operator's file sets it. */
    inAllTimes: z.nullable(z.int()),
    /** How long withdrawals are paused after a security change; 0 for no pause. */
    restHours: z.number(),
  }),
  deposits: z.array(z.pick(depositMethod, { id: true, kind: true, currency: true, min: true, max: true })),
  fund: z.object({
    minDeposit: money,
    depositsPerDay: z.int(),
    withdrawalsPerDay: z.int(),
    fastCapPerDay: money,
  }),
})

const threshold = z
  .string({ error: 'REQUIRED' })
  .check(z.refine((text) => isThreshold(parseMoney(text)), { error: 'AMOUNT_FORMAT' }))

const isThreshold = (value: number | undefined): boolean =>
  value !== undefined && value >= 0 && value <= amountMax

export const venueLimitRoutes = {
  limits: {
    show: route({
      method: 'GET',
      path: '/limits',
      summary: 'Show the limits in force',
      status: 200,
      answer: venueLimits,
    }),
    withdrawals: route({
      method: 'POST',
      path: '/limits/withdrawals',
      summary: 'Set the amount above which two persons decide about the deposits and withdrawals of a member',
      body: z.strictObject({ twoPersonsAbove: threshold }),
      status: 200,
      answer: z.object({ ...venueLimits.shape, ...proposed }),
    }),
  },
} satisfies Record<string, Record<string, Route>>
