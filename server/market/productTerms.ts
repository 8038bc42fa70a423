import { desc } from 'drizzle-orm'
import { moneyOf } from '../../contract/money.ts'
import { maxStakeOf } from '../../contract/products.ts'
import type { Db } from '../platform/db/database.ts'
import { productTerms, type ProductTermsRow } from './schema.ts'
import type { MarketProduct } from './feed/loadProducts.ts'
import type { ProductSettings } from './ports.ts'

/** The terms that all durations of a product share, as columns of an order. */
export type SharedTerms = Omit<
  ProductTermsRow,
  'productId' | 'seconds' | 'sinceAt' | 'offered' | 'rateBp' | 'minAmount' | 'maxAmount'
>

/** @param source the fingerprint of the product's source */
export const sharedTermsOf = (
  { settlement, priceDecimals, entryTimeoutMs, maxTickGapMs }: TermSettings,
  source: string,
): SharedTerms => ({
  entryDelayMs: null,
  exitWindowMs: null,
  exitCutBp: null,
  exitMinTicks: null,
  ...settlement,
  priceDecimals,
  entryTimeoutMs,
  maxTickGapMs,
  source,
})
type TermSettings = Pick<ProductSettings, 'settlement' | 'priceDecimals' | 'entryTimeoutMs' | 'maxTickGapMs'>

/** The rows to write so that the terms of these products, and of no others, are in force from `now` on. */
export const readChangedTerms = async (
  db: Db,
  products: readonly MarketProduct[],
  now: number,
): Promise<ProductTermsRow[]> => changedTerms(await readProductTerms(db), products, now)

/** Of each product and duration that was ever offered, the terms in force: those that were written last. */
const readProductTerms = (db: Db): Promise<ProductTermsRow[]> =>
  db
    .selectDistinctOn([productTerms.productId, productTerms.seconds])
    .from(productTerms)
    .orderBy(productTerms.productId, productTerms.seconds, desc(productTerms.sinceAt))

function changedTerms(
  stored: readonly ProductTermsRow[],
  products: readonly MarketProduct[],
  now: number,
): ProductTermsRow[] {
  const before = new Map(stored.map((row) => [keyOf(row), row]))
  const sinceAfter = (row: ProductTermsRow | undefined): number => Math.max(now, (row?.sinceAt ?? 0) + 1)
  const offered = products.flatMap((product) => offeredTerms(product))
  const keys = new Set(offered.map(keyOf))
  const withdrawn = stored.filter((row) => row.offered && !keys.has(keyOf(row)))
  return [
    ...offered
      .map((row) => ({ ...row, sinceAt: sinceAfter(before.get(keyOf(row))) }))
      .filter((row) => !hasSameTerms(row, before.get(keyOf(row)))),
    ...withdrawn.map((row) => ({ ...row, offered: false, sinceAt: sinceAfter(row) })),
  ]
}

/** None for a witness, which takes no orders. */
const offeredTerms = ({ settings, source }: MarketProduct): Omit<ProductTermsRow, 'sinceAt'>[] =>
  settings.durations.map((duration) => ({
    productId: settings.id,
    seconds: duration.seconds,
    offered: true,
    rateBp: duration.rateBp,
    minAmount: moneyOf(duration.min),
    maxAmount: maxStakeOf(duration),
    ...sharedTermsOf(settings, source.fingerprint),
  }))

const keyOf = ({ productId, seconds }: Pick<ProductTermsRow, 'productId' | 'seconds'>): string =>
  `${productId} ${seconds}`

const hasSameTerms = (row: ProductTermsRow, before: ProductTermsRow | undefined): boolean =>
  before !== undefined &&
  Object.entries(row).every(([name, value]) => name === 'sinceAt' || Reflect.get(before, name) === value)
