import { hash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyActChain, checkUploads } from '../../notices/index.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { openMemoryEngine } from '../../platform/db/embeddedEngine.ts'
import { createEngineDatabase } from '../../platform/db/memory.ts'
import { checkLedger } from '../../money/index.ts'
import { LogCorruptError } from '../../platform/logCorruptError.ts'
import { verifyLog, openStoredLog } from '../../market/index.ts'
import { findWrongKeys } from '../../platform/secrets.ts'
import { checkResults, everyOrder, type CheckedOrders } from '../../trading/index.ts'
import { databaseFile, encryptedFile, unpack, uploadsFolder, type Manifest } from './archive.ts'
import { BackupError } from './backupError.ts'
import { encryptingKeys, type Keys } from './keyFile.ts'
import { openForCommand, restorePostgres, withScratchDatabase } from './postgresTools.ts'
import type { PlatformSettings } from '../../platform/settings.ts'

type Progress = (line: string) => void
/** What is wrong with a copy, and what was found in order; one line each. */
export type ContentsCheck = { findings: string[]; passed: string[] }
export type BackupCheck = ContentsCheck & { manifest: Manifest }

const sha = (text: string): string => hash('sha256', text)

/** Orders to settle again: those settled at `since` (epoch ms) or later, and a share of the others; every order if neither is given. */
export type CheckedPart = { since?: number; share?: number }

type CheckOptions = { keys: Keys | null; ownKeys?: Keys | null; part?: CheckedPart; progress: Progress }

/**
 * Restores a backup into a scratch database and folder, and checks everything that can be checked without its venue. All but
 * the results is checked in full, whatever part of the orders is settled again.
 * @param keys those that were named; `ownKeys` open it without them
 * @throws BackupError with one line if it cannot be checked
 */
export async function checkBackup(
  settings: Pick<PlatformSettings, 'databaseUrl' | 'databaseOwnerUrl'>,
  file: string,
  { keys: named, ownKeys = null, part = {}, progress }: CheckOptions,
): Promise<BackupCheck> {
  const scratch = await mkdtemp(join(tmpdir(), 'uptick-check-'))
  try {
    progress('unpacking …')
    const keys = named ?? ownKeys
    const { manifest, damaged } = await unpack(file, scratch, keys)
    const changed = damaged.map((name) => `${name} is not what the backup was made of (SHA-256)`)
    // What is restored of a damaged dump says nothing.
    if (damaged.includes(encryptedFile)) return { manifest, findings: changed, passed: [] }
    const which = ordersOf(part, manifest)
    progress('restoring the database …')
    const dump = join(scratch, databaseFile)
    const { removed } = manifest
    const work = async (database: Database): Promise<ContentsCheck> => {
      await database.migrate()
      const uploads = join(scratch, uploadsFolder)
      return checkContents(database.db, { keys, which, progress, removed, uploads })
    }
    const { findings, passed } =
      manifest.kind === 'embedded' ? await withEmbedded(dump, work) : await withPostgres(settings, dump, work)
    return { manifest, findings: [...changed, ...findings], passed }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function withEmbedded<T>(dump: string, work: (database: Database) => Promise<T>): Promise<T> {
  const engine = await openMemoryEngine(new Blob([await readFile(dump)]))
  const database = createEngineDatabase(engine, () => engine.pglite.close())
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function withPostgres<T>(
  settings: Pick<PlatformSettings, 'databaseUrl' | 'databaseOwnerUrl'>,
  dump: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const databaseUrl = settings.databaseOwnerUrl ?? settings.databaseUrl
  if (databaseUrl === null)
    throw new BackupError('set DATABASE_URL: a scratch database is created on that server, and dropped')
  const name = `uptick_check_${randomBytes(6).toString('hex')}`
  return withScratchDatabase(databaseUrl, name, async (url) => {
    await restorePostgres(url, dump)
    const database = await openForCommand(url)
    try {
      // A restored database has no statistics: without them each read of some orders scans all of them.
      await database.pool.query('ANALYZE')
      return await work(database)
    } finally {
      await database.close()
    }
  })
}

/** The instant of the snapshot draws the share: each day's backup other orders, and the same backup the same ones. */
function ordersOf({ since, share }: CheckedPart, { at }: Manifest): CheckedOrders {
  if (since === undefined && share === undefined) return everyOrder
  if (since !== undefined && since > at)
    throw new BackupError(`--since is after the backup, which is of ${new Date(at).toISOString()}`)
  return { since: since ?? null, share: share ?? 0, seed: String(at) }
}

type ContentsParts = {
  keys: Keys | null
  /** The orders that are settled again; every one by default. */
  which?: CheckedOrders
  /** The folder of the photos, and those that were removed while they were copied. */
  uploads: string
  removed: readonly string[]
  progress: Progress
}

/** Checks a database and its photos: what {@link checkBackup} does with the restored ones. */
export async function checkContents(
  db: Db,
  { keys, which = everyOrder, uploads, removed, progress }: ContentsParts,
): Promise<ContentsCheck> {
  const findings: string[] = []
  const passed: string[] = []
  const report = (found: readonly string[], line: string): void => {
    findings.push(...found)
    if (found.length === 0) passed.push(line)
  }
  progress('checking the ledger …')
  const ledger = await checkLedger(db)
  report(ledger.findings, `${ledger.postings} postings of the ledger follow from each other and sum to 0`)

  progress('checking the act log …')
  const chain = await verifyActChain(db)
  report(chain.findings, `${chain.rows} rows of the act log: the chain is whole`)

  progress('checking the tick log …')
  const log = await verifyLog(
    db,
    sha,
    throttled((chunks, ticks) => progress(`${chunks} chunks, ${ticks} ticks`)),
  )
  const violations = log.violations.map(({ message }) => message)
  report(violations, `${log.chunks} chunks of the tick log, ${log.ticks} ticks: the chain is whole`)

  progress('settling orders again …')
  const results = await checkOrders(db, which, progress)
  report(results.findings, results.line)

  progress('checking the photos …')
  const bytes = keys === null ? null : encryptingKeys(keys)
  if (bytes) {
    const wrong = await findWrongKeys(db, bytes)
    report(
      wrong.map((name) => `${name} is not the key of this database`),
      'the keys are those of this database',
    )
  }
  const options = { key: bytes?.uploadKey ?? null, removed: new Set(removed) }
  const photos = await checkUploads(
    db,
    uploads,
    options,
    throttled((count) => progress(`${count} photos`)),
  )
  const opened = bytes ? 'open with the key' : 'are there; only --keys FILE shows that they open'
  report(photos.findings, `${photos.photos} photos ${opened}`)
  return { findings, passed }
}

async function checkOrders(
  db: Db,
  which: CheckedOrders,
  progress: Progress,
): Promise<{ findings: readonly string[]; line: string }> {
  const stored = await openStoredLog(db, sha).catch((error: unknown) => {
    if (error instanceof LogCorruptError) return null
    throw error
  })
  if (stored === null)
    return { findings: ['orders were not settled again: the newest ticks of the log are damaged'], line: '' }
  const onProgress = throttled((done: number, total: number) =>
    progress(`${grouped(done)} of ${grouped(total)} orders`),
  )
  const { settled, checked, cut, findings } = await checkResults(db, stored, which, onProgress)
  const counted = checked === settled ? grouped(settled) : `${grouped(checked)} of ${grouped(settled)}`
  const part = which === everyOrder ? '' : ` (${partLine(which)})`
  const cutLine = cut > 0 ? `; ${cut} of them not checked, their ticks were cut from the log` : ''
  return { findings, line: `${counted} settled orders${part} are what the tick log says${cutLine}` }
}

const grouped = (count: number): string => count.toLocaleString('en')

function partLine({ since, share, seed }: CheckedOrders): string {
  const drawn = `${Number((share * 100).toPrecision(3))} %`
  const by = `drawn by the hash of "${seed} ID"`
  if (since === null) return `${drawn} of all, ${by}`
  const newer = `settled since ${new Date(since).toISOString()}`
  return share === 0 ? newer : `${newer}, and ${drawn} of the others, ${by}`
}

const progressMs = 1000

/** Calls a function once a second at most. */
function throttled<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
  let lastAt = performance.now()
  return (...args) => {
    if (performance.now() - lastAt < progressMs) return
    lastAt = performance.now()
    run(...args)
  }
}
