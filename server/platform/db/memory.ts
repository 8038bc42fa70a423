import { gunzipSync, gzipSync } from 'node:zlib'
import type { Pool } from 'pg'
import { createDatabase, embeddedPoolConfig, openPool, type Database } from './database.ts'
import { EmbeddedSessions } from './embeddedSession.ts'
import { openMemoryEngine, type EmbeddedEngine } from './embeddedEngine.ts'
import { emptyDatabaseName, findEmptyDatabase, keepEmptyDatabase } from './emptyDatabase.ts'
import { localPorts } from './localPort.ts'
import { initialContents, resetContents, type InitialContents } from './memoryReset.ts'
import { PortStream, servePort } from './portStream.ts'
import { EmbeddedRoles } from './roles/embeddedRoles.ts'
import { readIfThere } from '../textFile.ts'

/** Nothing uses the folder's other databases; without them a snapshot is half as large and opens in less time. */
const dropOtherDatabases = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
]

/** An engine whose database was closed. */
type SpareEngine = { readonly engine: EmbeddedEngine; readonly initial: InitialContents }
/** More databases than this are rarely open at once, and each occupies about 100 MB. */
const maxSpareEngines = 2
/**
 * Opens a database with the venue's tables in this process's memory, for tests. To open one takes longer than most tests: it
 * is a copy of the empty database, and an engine whose database was closed is reset and used again.
 */
export async function openMemoryDatabase(): Promise<Database> {
  const spares = sparesOf(emptyDatabaseName())
  const spare = (await takeSpare(spares)) ?? (await openNew())
  return createEngineDatabase(spare.engine, async () => {
    if (spares.length < maxSpareEngines) spares.push(spare)
    else await spare.engine.pglite.close()
  })
}

/** This thread's, by what the empty database is made of. Global, because each test file evaluates this module again. */
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

async function openNew(): Promise<SpareEngine> {
  const engine = await openEngineWithTables()
  return { engine, initial: await initialContents(engine.pglite) }
}

/** An engine in memory with the venue's tables: to create one without takes ten times as long. */
export const openEngineWithTables = async (): Promise<EmbeddedEngine> =>
  openMemoryEngine(new Blob([gunzipSync(await readEmptyDatabase())]))

/** The content of an empty database, which is made and kept if there is none. */
export async function readEmptyDatabase(): Promise<Buffer> {
  const file = findEmptyDatabase()
  // A build of another checkout may have removed it from the cache meanwhile.
  const kept = file === null ? null : await readIfThere(file)
  if (kept !== null) return kept
  const content = await makeEmptyDatabase()
  keepEmptyDatabase(content)
  return content
}

/** As a tar file that is compressed by gzip. A venue that uses the roles finds them and their rights in it. */
async function makeEmptyDatabase(): Promise<Buffer> {
  const engine = await openMemoryEngine()
  const database = createEngineDatabase(engine, () => engine.pglite.close())
  await database.migrate()
  await database.useRoles()
  for (const statement of [...dropOtherDatabases, 'CHECKPOINT']) await database.owner.query(statement)
  const content = await engine.pglite.dumpDataDir('none')
  await database.close()
  return gzipSync(Buffer.from(await content.arrayBuffer()))
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
