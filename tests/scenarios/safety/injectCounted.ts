import type { Database } from '../../../server/platform/db/open.ts'
import { injectTexts, type Injected, type TargetVenue } from './injectTexts.ts'
import { countRows, watchMarketTables } from './tableChanges.ts'

/** Tables that store texts: they grow by what was accepted; no other table grows or shrinks. */
const growingTables = new Set([
  'login_event',
  'sealed_index',
  'article',
  'article_text',
  'audit',
  'audit_link',
  'content_version',
  'balance',
  'deposit',
  'idempotency',
  'login_failure',
  'member',
  'message',
  'password_failure',
  'password_request',
  'posting',
  'service_message',
  'session',
  'upload',
  'verification',
  'withdrawal_account',
])

/** Injects texts into a venue whose clock is stopped; a change of a table that no request explains is a violation. */
export async function injectCounted(
  database: Database,
  venue: TargetVenue,
  account: string,
  phone: string,
  texts: readonly string[],
): Promise<Injected> {
  const before = await countRows(database)
  const changes = await watchMarketTables(database)
  const injected = await injectTexts(venue, account, phone, texts)
  const after = await countRows(database)
  const grown = (table: string): number => (after.get(table) ?? 0) - (before.get(table) ?? 0)
  const { accepted, violations } = injected
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const isPresent = before.has(table) && after.has(table)
    if (!isPresent || grown(table) < 0 || (grown(table) > 0 && !growingTables.has(table))) {
      violations.push(`table ${table}: ${before.get(table)} → ${after.get(table)} rows`)
    }
  }
  // Each text is one row whatever it contains; the office also replied to each.
  const exact = {
    member: 1,
    session: 1,
    service_message: accepted.service.length + texts.length,
    verification: accepted.reason.length,
  }
  for (const [table, count] of Object.entries(exact)) {
    if (grown(table) !== count)
      violations.push(`table ${table}: ${grown(table)} rows more instead of ${count}`)
  }
  violations.push(...(await changes()).map((name) => `${name} changed`))
  return injected
}
