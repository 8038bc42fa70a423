import { execFile } from 'node:child_process'
import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrationHash } from '../../server/db/migrate.ts'
import { migrations } from '../../server/db/migrations/index.ts'
import { openDatabase } from '../../server/db/open.ts'

const root = new URL('../../', import.meta.url).pathname
const cache = join(root, 'node_modules/.cache/uptick')

/**
 * Copies an embedded database with empty tables into the data folder, from which a venue then starts. Creating one takes
 * four seconds of processor time, which only tests of a first start need to spend.
 */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  // Node's own `cp` takes ten times as long for its 1,400 files.
  await promisify(execFile)('cp', ['-R', join(await template(), 'db'), dataDir])
}

/** A data folder with a database that this version of the code created, kept between runs. */
async function template(): Promise<string> {
  const made = await Promise.all(
    ['server/db/embeddedEngine.ts', 'node_modules/@electric-sql/pglite/package.json'].map((file) =>
      readFile(join(root, file), 'utf8'),
    ),
  )
  made.push(...migrations.map(migrationHash))
  const folder = join(cache, `database-${hash('sha256', made.join()).slice(0, 16)}`)
  if (existsSync(folder)) return folder
  const dataDir = join(cache, `database-${randomUUID()}`)
  await mkdir(dataDir, { recursive: true })
  const database = await openDatabase({ dataDir })
  await database.migrate()
  await database.close()
  try {
    await rename(dataDir, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
    await rm(dataDir, { recursive: true })
  }
  return folder
}
