import { existsSync } from 'node:fs'
import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { extract } from 'tar'
import { simpleQuery, type WireEngine } from './embeddedSession.ts'
import { findEmptyDatabase } from './emptyDatabase.ts'

/** An open embedded database: answers wire bytes one batch at a time. */
export type EmbeddedEngine = WireEngine & {
  readonly pglite: PGlite
  /** Writes a checkpoint and releases the folder. */
  close(): Promise<void>
}

/** 1 MiB log segments instead of 16: a fresh folder is 30 MB instead of 39. */
const initDbParams = ['--wal-segsize=1']
/** An eighth of the default cache: the venue's hot rows fit, and the process is 110 MB smaller. */
const startParams = [...PGlite.defaultStartParams, '-c', 'max_wal_size=16MB', '-c', 'shared_buffers=16MB']

/** A client's first message has no kind: it begins with its length. */
const startupMessage = 0

/** The answer is a view of the engine's own buffer. */
const startUp = (pglite: PGlite, message: Uint8Array): Uint8Array =>
  pglite.execProtocolRawSync(message).slice()

/**
 * The statements run before this returns: only the promise is settled later. The synchronous call would parse each answer too,
 * and keep what it has parsed for ever.
 */
function answerTo(pglite: PGlite, message: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  const onRawData = (part: Uint8Array): void => void parts.push(part.slice())
  // An error ends the thread, as one that is thrown here would.
  void pglite.execProtocolRawStream(message, { syncToFs: false, onRawData })
  const [only = new Uint8Array()] = parts
  return parts.length > 1 ? joined(parts) : only
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function createEmbeddedEngine(pglite: PGlite): EmbeddedEngine {
  return {
    pglite,
    exec: (message) => (message[0] === startupMessage ? startUp(pglite, message) : answerTo(pglite, message)),
    close: async () => {
      pglite.execProtocolRawSync(simpleQuery('CHECKPOINT'))
      await pglite.close()
    },
  }
}

/**
 * Opens the embedded database in `dir`; if there is none, it becomes a copy of the build's empty one, or without such one is
 * created. While it is made a marker file exists next to it: if the process is killed meanwhile, the next start deletes the
 * incomplete folder. Nothing else is ever deleted.
 * @param empty file of an empty database
 */
export async function openEmbeddedEngine(
  dir: string,
  empty: () => string | null = findEmptyDatabase,
): Promise<EmbeddedEngine> {
  const markerFile = `${dir}.making`
  if (existsSync(markerFile)) await rm(dir, { recursive: true, force: true })
  else if (existsSync(join(dir, 'PG_VERSION')))
    return createEmbeddedEngine(await PGlite.create(dir, { startParams }))
  // Fails if there is something other than a database or an empty folder, before the slow creation.
  else if (existsSync(dir)) await rmdir(dir)

  await writeFile(markerFile, '')
  await mkdir(dir, { mode: 0o700 })
  const file = empty()
  if (file !== null) extract({ file, cwd: dir, sync: true, dmode: 0o700, fmode: 0o600 })
  const engine = createEmbeddedEngine(
    await PGlite.create(dir, { startParams, ...(file === null && { initDbStartParams: initDbParams }) }),
  )
  await rm(markerFile)
  return engine
}

/** Creates the embedded database in `dir`, which must not exist, from what {@link PGlite.dumpDataDir} made. */
export async function restoreEmbeddedEngine(dir: string, snapshot: Blob): Promise<EmbeddedEngine> {
  const markerFile = `${dir}.making`
  await writeFile(markerFile, '')
  await mkdir(dir, { mode: 0o700 })
  const engine = createEmbeddedEngine(await PGlite.create(dir, { loadDataDir: snapshot, startParams }))
  await rm(markerFile)
  return engine
}

/** Without the timer that PostgreSQL starts here and never stops: it would keep a test's process alive. */
const memoryStartParams = [...startParams, '-c', 'log_startup_progress_interval=0']

/** Opens an embedded database in memory, optionally from a snapshot. */
export async function openMemoryEngine(snapshot?: Blob): Promise<EmbeddedEngine> {
  const options = snapshot === undefined ? { initDbStartParams: initDbParams } : { loadDataDir: snapshot }
  return createEmbeddedEngine(await PGlite.create({ ...options, startParams: memoryStartParams }))
}
