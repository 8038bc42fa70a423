import { isNull, sql } from 'drizzle-orm'
import { SettingsError } from '../../platform/settingsError.ts'
import type { Db } from '../../platform/db/database.ts'
import { orders } from '../schema.ts'
import type { MarketProduct } from '../../market/index.ts'

/**
 * Fails if a product with open orders is not listed: their prices would be lost.
 * @throws SettingsError with one line that names the products
 */
export async function assertProductsListed(db: Db, products: readonly MarketProduct[]): Promise<void> {
  const rows = await db.selectDistinct({ id: orders.productId }).from(orders).where(isNull(orders.settledAt))
  const listed = new Set(products.map(({ settings }) => settings.id))
  assertListed(
    rows.map(({ id }) => id),
    (id) => listed.has(id),
  )
}

/**
 * @param ids products that have open orders
 * @throws SettingsError with one line that names those that are not listed
 */
export function assertListed(ids: readonly string[], isListed: (id: string) => boolean): void {
  const missing = new Set(ids.filter((id) => !isListed(id)))
  if (missing.size === 0) return
  const names = [...missing].toSorted().join(', ')
  throw new SettingsError(`PRODUCTS_FILE lacks products that have open orders: ${names}`)
}

type OpenOrderSummary = { id: string; count: number; until: number; fingerprint: string }

/**
 * Fails if a product with open orders has another source than in the run before: prices that were put in place after an
 * order was placed must not decide it.
 * @throws SettingsError with one line that names the products, until when the last order runs, and the option
 */
export async function assertSourcesUnchanged(db: Db, products: readonly MarketProduct[]): Promise<void> {
  const { rows } = await db.execute<OpenOrderSummary>(sql`
    SELECT o.product_id AS id, count(*)::int AS count, max(o.close_at) AS until, s.fingerprint
    FROM orders o JOIN feed_product p ON p.id = o.product_id
      CROSS JOIN LATERAL (
        SELECT fingerprint FROM feed_source WHERE ix = p.ix ORDER BY since_at DESC LIMIT 1) s
    WHERE o.settled_at IS NULL GROUP BY o.product_id, s.fingerprint ORDER BY o.product_id`)
  const currentFingerprints = new Map(
    products.map(({ settings, source }) => [settings.id, source.fingerprint]),
  )
  const changed = rows.filter(
    ({ id, fingerprint }) => (currentFingerprints.get(id) ?? fingerprint) !== fingerprint,
  )
  if (changed.length === 0) return
  const count = changed.reduce((sum, each) => sum + each.count, 0)
  const until = new Date(Math.max(...changed.map((each) => each.until))).toISOString()
  const depend = count === 1 ? '1 open order depends' : `${count} open orders depend`
  throw new SettingsError(
    `the price source of ${changed.map(({ id }) => id).join(', ')} changed while ${depend} on the old one; ` +
      `the last closes at ${until}. Run the old source until they are settled, or start with ` +
      '--refund-changed-sources to return their stakes',
  )
}
