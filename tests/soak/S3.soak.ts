import { openMemoryDatabase } from '../../server/platform/db/memory.ts'
import type { Database } from '../../server/platform/db/open.ts'
import { retryKeys } from '../scenarios/retries.ts'
import { openScratchPostgres, postgresUnavailableReason } from '../support/scratchPostgres.ts'
import type { SoakRun, Row } from './row.ts'

const keys = 1000
const retries = 10_000

/** One effect per intent: on the embedded database, and through two processes on PostgreSQL. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const runOn = async (database: Database): Promise<Row> => {
    const { effects, replayed, mismatched, violations } = await retryKeys(database, {
      keys,
      calls: keys + retries,
      altered: 0.1,
      seed,
    })
    for (const line of violations.slice(0, 5)) log(line)
    return {
      id: `S3 ${database.kind}`,
      what: `retries over ${keys} keys, one in ten altered: one effect each`,
      tried: retries,
      broken: violations.length + Math.abs(effects - keys),
      note: `${effects} effects, ${replayed} the same answer again, ${mismatched} rejected as altered`,
    }
  }
  const embedded = await openMemoryDatabase()
  const rows = [await runOn(embedded)]
  await embedded.close()
  if ((await postgresUnavailableReason()) !== null) return rows
  const scratch = await openScratchPostgres('soak_s3')
  rows.push(await runOn(scratch.database))
  await scratch.drop()
  return rows
}
