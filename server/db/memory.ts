import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { createDatabase, embeddedPoolConfig, openPool } from './database.ts'
import type { Database } from './database.ts'
import { EmbeddedSessions } from './embeddedSession.ts'
import { openMemoryEngine } from './embeddedEngine.ts'
import type { EmbeddedEngine } from './embeddedEngine.ts'
import { localPorts } from './localPort.ts'
import { initialContents, resetContents } from './memoryReset.ts'
import type { InitialContents } from './memoryReset.ts'
import { migrationHash } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { PortStream, servePort } from './portStream.ts'
import { EmbeddedRoles } from './roles/embeddedRoles.ts'

/** Nothing uses the folder's other databases; without them a snapshot is half as large and opens in less time. */
const dropOtherDatabases = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
]
const cacheFolder = new URL('../../node_modules/.cache/uptick/', import.meta.url)

/** An engine whose database was closed. */
type SpareEngine = { readonly engine: EmbeddedEngine; readonly initial: InitialContents }
/** More databases than this are rarely open at once, and each occupies about 100 MB. */
const maxSpareEngines = 2
/**
 * Opens a migrated database in this process's memory, for tests. To open one takes longer than most tests: the first
 * call after a change of the migrations saves a snapshot on disk, later calls start from it, and an engine whose
 * database was closed is reset and used again.
 */
export async function openMemoryDatabase(): Promise<Database> {
  const contents = [...migrations.map(migrationHash), ...dropOtherDatabases]
  const key = createHash('sha256').update(contents.join()).digest('hex').slice(0, 16)
  const spares = sparesOf(key)
  const spare = (await takeSpare(spares)) ?? (await openNew(key))
  return createEngineDatabase(spare.engine, async () => {
    if (spares.length < maxSpareEngines) spares.push(spare)
    else await spare.engine.pglite.close()
  })
}

/** This thread's, by the migrations. Global, because each test file evaluates this module again. */
function sparesOf(key: string): SpareEngine[] {
  const all = ((globalThis as { uptickSpareEngines?: Map<string, SpareEngine[]> }).uptickSpareEngines ??=
    new Map<string, SpareEngine[]>())
  const spares = all.get(key) ?? []
  all.set(key, spares)
  return spares
}

/** Returns an engine that was reset, null if there is none that can be. */
async function takeSpare(spares: SpareEngine[]): Promise<SpareEngine | null> {
  for (let spare = spares.pop(); spare !== undefined; spare = spares.pop()) {
    if (await resetContents(spare.engine.pglite, spare.initial)) return spare
    await spare.engine.pglite.close()
  }
  return null
}

async function openNew(key: string): Promise<SpareEngine> {
  const engine = await openMigrated(new URL(`memory-${key}.tar`, cacheFolder))
  // Rights are part of what may not change. A venue that uses the roles finds them here and changes nothing.
  const database = createEngineDatabase(engine, async () => undefined)
  await database.useRoles()
  await database.close()
  return { engine, initial: await initialContents(engine.pglite) }
}

/** Opens an engine from the snapshot, and saves it if there is none. */
async function openMigrated(file: URL): Promise<EmbeddedEngine> {
  const cached = await openSnapshot(file)
  if (cached !== null) return cached

  const engine = await openMemoryEngine()
  const database = createEngineDatabase(engine, async () => undefined)
  await database.migrate()
  for (const statement of [...dropOtherDatabases, 'CHECKPOINT']) await database.pool.query(statement)
  await database.close()
  await saveSnapshot(file, await engine.pglite.dumpDataDir('none'))
  return engine
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

/**
 * A database on an engine of this thread: for tests, and for programs that run beside no venue.
 * @param afterEnd runs once nothing uses the engine any more
 */
export function createEngineDatabase(engine: EmbeddedEngine, afterEnd: () => Promise<void>): Database {
  const sessions = new EmbeddedSessions(engine)
  const connect = (role: string | null): PortStream => {
    const [port1, port2] = localPorts()
    servePort(sessions, { port: port2, priority: 'normal', role })
    return new PortStream(port1)
  }
  const address = (): never => {
    throw new Error('a database in memory is not shared between threads')
  }
  const roles = new EmbeddedRoles(connect, () => undefined)
  const close = async (): Promise<void> => {
    await roles.close()
    sessions.close()
    await afterEnd()
  }
  const database = createDatabase(roles.pool, address, close, () => roles.use(), roles.owner)
  connections.set(database, (role) =>
    openPool(
      embeddedPoolConfig(() => connect(role)),
      () => undefined,
    ),
  )
  return database
}

const connections = new WeakMap<Database, (role: string) => Pool>()

/** For tests: new connections to a database on an engine of this thread, as one of the venue's roles. */
export function openPoolAs(database: Database, role: string): Pool {
  const open = connections.get(database)
  if (open === undefined) throw new Error('only a database on an engine of this thread has such connections')
  return open(role)
}
