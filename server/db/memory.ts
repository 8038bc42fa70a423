import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { MessageChannel } from 'node:worker_threads'
import { Pool } from 'pg'
import { databaseOf, embeddedPoolConfig } from './database.ts'
import type { Database } from './database.ts'
import { EmbeddedSessions } from './embedded-session.ts'
import { openMemoryEngine } from './engine.ts'
import type { Engine } from './engine.ts'
import { migrationHash } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { PortStream, servePort } from './port-stream.ts'

const cacheFolder = new URL('../../node_modules/.cache/uptick/', import.meta.url)

/**
 * Opens a migrated database in this process's memory, for tests. The first call after a change of the migrations
 * keeps a snapshot on disk; later ones start from it.
 */
export async function openMemoryDatabase(): Promise<Database> {
  const key = createHash('sha256').update(migrations.map(migrationHash).join()).digest('hex').slice(0, 16)
  const file = new URL(`memory-${key}.tar`, cacheFolder)
  const snapshot = await readFile(file).catch(() => null)
  if (snapshot !== null) return serve(await openMemoryEngine(new Blob([snapshot])))

  const engine = await openMemoryEngine()
  const database = serve(engine)
  await database.migrate()
  const fresh = await engine.pglite.dumpDataDir('none')
  // Several test processes may do this at once: each writes its own file, and the last rename wins.
  const draft = new URL(`memory-${key}.${process.pid}.part`, cacheFolder)
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(draft, Buffer.from(await fresh.arrayBuffer()))
  await rename(draft, file)
  return database
}

function serve(engine: Engine): Database {
  const sessions = new EmbeddedSessions(engine)
  const connect = (): PortStream => {
    const { port1, port2 } = new MessageChannel()
    servePort(sessions, port2)
    return new PortStream(port1)
  }
  return databaseOf('embedded', new Pool(embeddedPoolConfig(connect)), async () => {
    sessions.close()
    await engine.pglite.close()
  })
}
