import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Database } from '../../server/platform/db/open.ts'
import { openScratchPostgres } from '../support/scratchPostgres.ts'

export type Engine = 'PostgreSQL' | 'PGlite'
export type BenchDatabase = { database: Database; close: () => Promise<void> }

/** A new database with the venue's tables; PostgreSQL needs a running server. */
export async function openBenchDatabase(engine: Engine): Promise<BenchDatabase> {
  if (engine === 'PostgreSQL') {
    const scratch = await openScratchPostgres('bench')
    return { database: scratch.database, close: () => scratch.drop() }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-bench-'))
  const database = await openDatabase({ dataDir })
  await database.migrate()
  return {
    database,
    close: async () => {
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
