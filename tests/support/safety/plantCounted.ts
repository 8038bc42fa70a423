import type { Database } from '../../../server/db/open.ts'
import { plant } from './plant.ts'
import type { Planted, PlantVenue } from './plant.ts'
import { countRows, watchMarket } from './untouched.ts'

/** Tables that texts are for: they grow by what was taken, and nothing else grows or shrinks. */
const growing = new Set([
  'article',
  'article_text',
  'audit',
  'balance',
  'deposit',
  'idempotency',
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

/** Plants texts on a venue whose clock stands still, and adds to the faults whatever a table did that no call asked for. */
export async function plantCounted(
  database: Database,
  venue: PlantVenue,
  account: string,
  phone: string,
  texts: readonly string[],
): Promise<Planted> {
  const before = await countRows(database)
  const changes = await watchMarket(database)
  const planted = await plant(venue, account, phone, texts)
  const after = await countRows(database)
  const grown = (table: string): number => (after.get(table) ?? 0) - (before.get(table) ?? 0)
  const { taken, faults } = planted
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const kept = before.has(table) && after.has(table)
    if (!kept || grown(table) < 0 || (grown(table) > 0 && !growing.has(table))) {
      faults.push(`table ${table}: ${before.get(table)} → ${after.get(table)} rows`)
    }
  }
  // A text of each kind is one row, whatever stands in it; the desk replied to each as well.
  const exact = {
    member: 1,
    session: 1,
    service_message: taken.service.length + texts.length,
    verification: taken.reason.length,
  }
  for (const [table, count] of Object.entries(exact)) {
    if (grown(table) !== count) faults.push(`table ${table}: ${grown(table)} rows more instead of ${count}`)
  }
  faults.push(...(await changes()).map((name) => `${name} changed`))
  return planted
}
