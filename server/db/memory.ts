import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { MessageChannel } from 'node:worker_threads'
import { Pool } from 'pg'
import { createDatabase, embeddedPoolConfig } from './database.ts'
import type { Database } from './database.ts'
import { EmbeddedSessions } from './embeddedSession.ts'
import { openMemoryEngine } from './embeddedEngine.ts'
import type { EmbeddedEngine } from './embeddedEngine.ts'
import { migrationHash } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { PortStream, servePort } from './portStream.ts'

/** Nothing uses the folder's other databases; without them a snapshot is half as large and opens in less time. */
const dropOtherDatabases = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
]
const cacheFolder = new URL('../../node_modules/.cache/uptick/', import.meta.url)

/**
 * Opens a migrated database in this process's memory, for tests. The first call after a change of the migrations
 * saves a snapshot on disk; later calls start from it.
 */
export async function openMemoryDatabase(): Promise<Database> {
  const contents = [...migrations.map(migrationHash), ...dropOtherDatabases]
  const key = createHash('sha256').update(contents.join()).digest('hex').slice(0, 16)
  const file = new URL(`memory-${key}.tar`, cacheFolder)
  const cached = await openSnapshot(file)
  if (cached !== null) return createMemoryDatabase(cached)

  const engine = await openMemoryEngine()
  const database = createMemoryDatabase(engine)
  await database.migrate()
  for (const statement of [...dropOtherDatabases, 'CHECKPOINT']) await database.pool.query(statement)
  await saveSnapshot(file, await engine.pglite.dumpDataDir('none'))
  return database
}

/** Returns null if there is no snapshot, or none that this version of the engine can read. */
async function openSnapshot(file: URL): Promise<EmbeddedEngine | null> {
  try {
    return await openMemoryEngine(new Blob([await readFile(file)]))
  } catch {
    return null
  }
}

/** Several test processes may do this at once: each writes its own file, and the last rename wins. */
async function saveSnapshot(file: URL, snapshot: Blob): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  for (const name of await readdir(cacheFolder)) {
    if (name.endsWith('.tar')) await rm(new URL(name, cacheFolder), { force: true })
  }
  const draft = new URL(`${randomUUID()}.part`, cacheFolder)
  await writeFile(draft, Buffer.from(await snapshot.arrayBuffer()))
  await rename(draft, file)
}

function createMemoryDatabase(engine: EmbeddedEngine): Database {
  const sessions = new EmbeddedSessions(engine)
  const connect = (): PortStream => {
    const { port1, port2 } = new MessageChannel()
    servePort(sessions, port2, 'normal')
    return new PortStream(port1)
  }
  const address = (): never => {
    throw new Error('a database in memory is not shared between threads')
  }
  return createDatabase('embedded', new Pool(embeddedPoolConfig(connect)), address, async () => {
    sessions.close()
    await engine.pglite.close()
  })
}
