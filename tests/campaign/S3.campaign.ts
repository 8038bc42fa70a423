import { openMemoryDatabase } from '../../server/db/memory.ts'
import type { Database } from '../../server/db/open.ts'
import { retryKeys } from '../support/retries.ts'
import { openScratchPostgres, postgresRefusal } from '../support/scratchPostgres.ts'
import type { Campaign, Row } from './row.ts'

const keys = 1000
const retries = 10_000

/** One effect per intent: on the embedded database, and through two processes on PostgreSQL. */
export async function run({ seed, say }: Campaign): Promise<Row[]> {
  const on = async (database: Database): Promise<Row> => {
    const { effects, replayed, mismatched, broken } = await retryKeys(database, {
      keys,
      calls: keys + retries,
      altered: 0.1,
      seed,
    })
    for (const line of broken.slice(0, 5)) say(line)
    return {
      id: `S3 ${database.kind}`,
      what: `retries over ${keys} keys, one in ten altered: one effect each`,
      tried: retries,
      broken: broken.length + Math.abs(effects - keys),
      note: `${effects} effects, ${replayed} the same answer again, ${mismatched} refused as altered`,
    }
  }
  const embedded = await openMemoryDatabase()
  const rows = [await on(embedded)]
  await embedded.close()
  if ((await postgresRefusal()) !== null) return rows
  const scratch = await openScratchPostgres('campaign_s3')
  rows.push(await on(scratch.database))
  await scratch.drop()
  return rows
}
