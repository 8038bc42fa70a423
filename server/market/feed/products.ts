import * as z from 'zod/mini'
import { languages, rateBpMax } from '../../../contract/constants.ts'
import { moneyOf } from '../../../contract/money.ts'
import { averagingTerms, categories } from '../../../contract/products.ts'
import { amount } from '../../../contract/schema.ts'
import type { SettlementRule } from '../ports.ts'
import type { FeedSource } from './feed.ts'
import { describeIssues } from '../../platform/schemaIssues.ts'
import { ViolationsError } from './violationsError.ts'
import { findExchangeViolations } from './live/liveProduct.ts'
import { parseTradingHours, TradingHoursError } from './tradingHoursFormat.ts'

/** A product table is invalid: one line per violation. Thrown before anything is written. */
export class ProductsError extends ViolationsError {
  constructor(violations: readonly string[]) {
    super('ProductsError', violations)
  }
}

const positiveInt = z.int().check(z.positive())
const tableId = z.string().check(z.regex(/^[A-Z0-9._-]{1,32}$/))
const shortText = z.string().check(z.minLength(1), z.maxLength(120))
const price = z.union([z.number().check(z.positive()), z.string().check(z.regex(/^\d+(\.\d+)?$/))])
const duration = z.strictObject({
  seconds: z.int().check(z.gte(1), z.lte(86_400)),
  rateBp: z.int().check(z.gte(1), z.lte(rateBpMax)),
  min: amount,
  max: amount,
})
const recordingFeed = z.strictObject({
  recording: z.string().check(z.regex(/^[\w.-]+\.csv\.gz$/)),
  pauseMs: z.optional(positiveInt),
  /** A pass starts every this many ms, and the product is closed in between; without it they follow at once. */
  periodMs: z.optional(positiveInt),
})
const exchangeFeed = z.strictObject({
  exchange: shortText,
  symbol: shortText,
  /** What `FEED` other than `live` plays instead. */
  recording: z.optional(recordingFeed.shape.recording),
  pauseMs: recordingFeed.shape.pauseMs,
  periodMs: recordingFeed.shape.periodMs,
  /** When it trades, checked by `parseTradingHours`; without it the product trades at all times. */
  hours: z.optional(z.unknown()),
  /** A second source, with which the prices are compared. */
  witness: z.optional(
    z.strictObject({
      exchange: shortText,
      symbol: shortText,
      maxDeviationBp: z.int().check(z.gte(1), z.lte(10_000)),
    }),
  ),
})
const syntheticFeed = z.strictObject({
  synthetic: z.strictObject({
    seed: z.int(),
    ticksPerSecond: z.number().check(z.gte(0.01), z.lte(10_000)),
    start: price,
    volatility: z.number().check(z.gte(0), z.lte(10)),
  }),
})

/** The one definition of a row of PRODUCTS_FILE: deploy/products.schema.json is made from it. */
export const productRow = z.strictObject({
  id: tableId,
  code: shortText,
  category: z.enum(categories),
  names: z.partialRecord(z.enum(languages), shortText),
  /** Further search words: pinyin initials, nicknames. */
  search: z.optional(z.array(shortText)),
  priceDecimals: z.int().check(z.gte(0), z.lte(8)),
  sizeDecimals: z.optional(z.int().check(z.gte(0), z.lte(8))),
  durations: z.array(duration).check(z.minLength(1)),
  maxTickGapMs: positiveInt,
  entryTimeoutMs: positiveInt,
  /** R2 for a product whose prices are computed; one with a live source always has it. */
  rule: z.optional(z.literal('R2')),
  entryDelayMs: z.optional(z.int().check(z.nonnegative())),
  exitWindowMs: z.optional(positiveInt),
  exitCutBp: z.optional(averagingTerms.exitCutBp),
  exitMinTicks: z.optional(positiveInt),
  recommended: z.boolean(),
  feed: z.union([recordingFeed, exchangeFeed, syntheticFeed]),
})
/** A row of PRODUCTS_FILE. */
export type ProductRow = z.infer<typeof productRow>

/**
 * Validates a product table.
 * @throws ProductsError with one line per violation
 */
export function parseProducts(table: unknown): ProductRow[] {
  if (!Array.isArray(table) || table.length === 0) {
    throw new ProductsError(['products: the file must hold a list of at least one product'])
  }
  const violations: string[] = []
  const rows: ProductRow[] = []
  table.forEach((raw: unknown, i) => {
    const parsed = productRow.safeParse(raw, { reportInput: true })
    if (parsed.success) rows.push(parsed.data)
    else
      violations.push(
        ...describeIssues(productRow, parsed.error.issues).map((line) => `${describeRow(raw, i)}: ${line}`),
      )
  })
  const ids = new Set<string>()
  for (const product of rows) {
    if (ids.has(product.id)) violations.push(`product ${product.id}: is in the table twice`)
    ids.add(product.id)
    violations.push(...findRuleViolations(product).map((violation) => `product ${product.id}: ${violation}`))
  }
  if (violations.length > 0) throw new ProductsError(violations)
  return rows
}

/** The terms of rule R2 that a row does not state. */
const averagingDefaults = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }

/** The rule of a product's orders: R2 if its source is live or its row says so, else R1. */
export function settlementOf(row: ProductRow, { kind }: Pick<FeedSource, 'kind'>): SettlementRule {
  if (kind === 'computed' && row.rule === undefined) return { rule: 'R1' }
  return {
    rule: 'R2',
    entryDelayMs: row.entryDelayMs ?? averagingDefaults.entryDelayMs,
    exitWindowMs: row.exitWindowMs ?? averagingDefaults.exitWindowMs,
    exitCutBp: row.exitCutBp ?? averagingDefaults.exitCutBp,
    exitMinTicks: row.exitMinTicks ?? averagingDefaults.exitMinTicks,
  }
}

/** Rules that span several fields. */
function findRuleViolations(product: ProductRow): string[] {
  const violations: string[] = []
  const seconds = product.durations.map((each) => each.seconds)
  if (new Set(seconds).size < seconds.length) violations.push('a duration is listed twice')
  if (product.entryTimeoutMs > Math.min(...seconds) * 1000) {
    violations.push('entryTimeoutMs is longer than the shortest duration')
  }
  const settlement = settlementOf(product, { kind: 'exchange' in product.feed ? 'live' : 'computed' })
  if (settlement.rule === 'R2') {
    const leastMs = settlement.entryDelayMs + product.entryTimeoutMs + settlement.exitWindowMs
    if (Math.min(...seconds) * 1000 < leastMs) {
      violations.push(
        `a duration is shorter than entryDelayMs + entryTimeoutMs + exitWindowMs (${leastMs} ms)`,
      )
    }
  }
  for (const each of product.durations) {
    if (moneyOf(each.min) <= 0 || moneyOf(each.min) > moneyOf(each.max)) {
      violations.push(`the amounts of duration ${each.seconds} must be above zero, min not above max`)
    }
  }
  if ('exchange' in product.feed) {
    violations.push(...findHoursViolations(product.feed.hours), ...findExchangeViolations(product.feed))
  }
  return violations
}

function findHoursViolations(hours: unknown): readonly string[] {
  if (hours === undefined) return []
  try {
    parseTradingHours(hours)
  } catch (error) {
    if (error instanceof TradingHoursError) return error.violations
    throw error
  }
  return []
}

function describeRow(raw: unknown, i: number): string {
  const id: unknown = raw !== null && typeof raw === 'object' && 'id' in raw ? raw.id : undefined
  return typeof id === 'string' ? `product ${id}` : `product number ${i + 1}`
}
