import * as z from 'zod/mini'
import { route } from './route.ts'
import { id, instant, listOf, money, pageQuery, productId, queryInstant } from './schema.ts'

export const assets = z.object({
  total: money,
  available: money,
  held: money,
  openStakes: money,
  fund: money,
  accountPnl: money,
  todayPnl: money,
  version: z.int(),
})
export type Assets = z.infer<typeof assets>

export const ledgerTypes = [
  'grant',
  'stake',
  'payout',
  'refund',
  'deposit',
  'deposit_reversed',
  'withdrawal_hold',
  'withdrawal_paid',
  'withdrawal_returned',
  'fund_in',
  'fund_out',
  'fund_earning',
  'reset',
] as const
export type LedgerType = (typeof ledgerTypes)[number]

/** One line of the capital record: signed `amount`, and `available` after it. */
export const ledgerEntry = z.object({
  id,
  at: instant,
  type: z.enum(ledgerTypes),
  amount: money,
  balanceAfter: money,
  /** What was added to the money on hold and to the fund; below zero it left there. */
  held: money,
  fund: money,
  /** What caused it: an order, a transfer, or the member if nothing else did; with the number and product it has. */
  ref: z.object({
    kind: z.string(),
    id: z.string(),
    no: z.nullable(z.string()),
    productId: z.nullable(productId),
  }),
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

const ledgerFilters = {
  type: z.optional(z.enum(ledgerTypes)),
  from: queryInstant,
  to: queryInstant,
}
export const ledgerQuery = z.strictObject({ ...pageQuery, ...ledgerFilters })
/** The list's filters, without pagination. */
export const ledgerCsvQuery = z.strictObject(ledgerFilters)
export type LedgerFilters = z.infer<typeof ledgerCsvQuery>

export const ledgerRoutes = {
  assets: route({
    method: 'GET',
    path: '/me/assets',
    summary: "The member's assets",
    member: true,
    status: 200,
    answer: assets,
  }),
  ledger: route({
    method: 'GET',
    path: '/me/ledger',
    summary: 'The capital record',
    member: true,
    query: ledgerQuery,
    status: 200,
    answer: listOf(ledgerEntry),
  }),
  ledgerCsv: route({
    method: 'GET',
    path: '/me/ledger.csv',
    summary:
      'The capital record as a CSV file: a year at most, the last one if `from` and `to` are left out; one at a time, else 429',
    member: true,
    costly: true,
    query: ledgerCsvQuery,
    media: 'text/csv',
    status: 200,
    answer: z.string(),
  }),
  resetPractice: route({
    method: 'POST',
    path: '/practice/reset',
    summary: 'Practice money back to its opening amount',
    member: true,
    unlessFrozen: true,
    keyed: true,
    status: 200,
    answer: assets,
  }),
}
