import { copyFile, mkdtemp, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BackupError } from '../../../../server/checks/backup/backupError.ts'
import { checkBackup, checkContents, type CheckedPart } from '../../../../server/checks/backup/check.ts'
import { createBackup } from '../../../../server/checks/backup/create.ts'
import {
  keyIdOf,
  readKeyFile,
  readVenueKeys,
  writeKeyFile,
  type Keys,
} from '../../../../server/checks/backup/keyFile.ts'
import { restoreBackup } from '../../../../server/checks/backup/restore.ts'
import { openForCommand, withScratchDatabase } from '../../../../server/checks/backup/postgresTools.ts'
import { readSettings, type Settings } from '../../../../server/start/config.ts'
import type { Pool } from 'pg'
import { DataDirLockedError } from '../../../../server/platform/db/lock.ts'
import { openDatabase, type Database } from '../../../../server/platform/db/open.ts'
import { readLastBackup } from '../../../../server/platform/lastBackup.ts'
import { openBackedUpVenue } from '../../../support/backedUpVenue.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { photo, uploadFile } from '../../../support/uploads.ts'
import { nodeFlags } from '../../../support/venueProcess.ts'
import { serverBundle } from '../../../support/serverBundle.ts'

const postgres = await withPostgres('backup')
const hasTools = spawnSync('pg_dump', ['--version']).status === 0
if (!hasTools) console.warn('Backups of PostgreSQL are not tested: pg_dump is not installed.')

const folders: string[] = []
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'uptick-backup-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

type Backed = Awaited<ReturnType<typeof openBackedUpVenue>>
const settingsOf = (dataDir: string, databaseUrl: string | null, keys?: Keys): Settings =>
  readSettings({
    DATA_DIR: dataDir,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...(keys !== undefined && { VENUE_KEY: keys }),
  })
const keysOf = ({ venueKey }: Backed): Keys => venueKey
const silent = (): void => undefined
const countOf = async (pool: Pool, table: string): Promise<number> =>
  (await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)).rows[0]?.count ?? 0

describe.runIf(postgres.available && hasTools)('a backup of PostgreSQL', () => {
  let backed: Backed
  let dataDir: string
  let settings: Settings
  let file: string
  const backUp = async (): Promise<string> => {
    const target = join(await newFolder(), 'venue.tar')
    await createBackup(settings, target, silent)
    return target
  }
  const check = (target: string, keys: Keys | null = keysOf(backed)) =>
    checkBackup(settings, target, { keys, progress: silent })

  beforeAll(async () => {
    dataDir = await newFolder()
    backed = await openBackedUpVenue(postgres.database(), dataDir)
    settings = settingsOf(dataDir, postgres.url(), keysOf(backed))
    file = await backUp()
  })
  afterAll(() => backed.venue.close())

  it('is made while the venue runs, is good, and says when it was made', async () => {
    const { findings, passed } = await check(file)
    expect(findings).toEqual([])
    expect(passed).toEqual([
      expect.stringMatching(/^\d+ postings of the ledger follow from each other and sum to 0$/),
      expect.stringMatching(/^\d+ rows of the act log: the chain is whole$/),
      expect.stringMatching(/^1 chunks of the tick log, \d+ ticks: the chain is whole$/),
      '2 settled orders are what the tick log says',
      'the keys are those of this database',
      '1 photos open with the key',
    ])
    const { at } = (await readLastBackup(backed.venue.db)) ?? { at: 0 }
    expect(Date.now() - at).toBeLessThan(120_000)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(file, '..'))).toEqual(['venue.tar'])
  })

  it('is checked in part: the orders settled since some time, and a share of the others that is said', async () => {
    const at = Number((await readLastBackup(backed.venue.db))?.at)
    const lineOf = async (part: CheckedPart): Promise<string | undefined> => {
      const keys = keysOf(backed)
      const { findings, passed } = await checkBackup(settings, file, { keys, part, progress: silent })
      expect(findings).toEqual([])
      expect(passed).toHaveLength(6)
      return passed.find((line) => line.includes('settled orders'))
    }
    expect(await lineOf({ since: at })).toBe(
      `0 of 2 settled orders (settled since ${new Date(at).toISOString()}) are what the tick log says`,
    )
    expect(await lineOf({ since: 1, share: 0.05 })).toBe(
      '2 settled orders (settled since 1970-01-01T00:00:00.001Z, and 5 % of the others, ' +
        `drawn by the hash of "${at} ID") are what the tick log says`,
    )
    const after = { keys: keysOf(backed), part: { since: at + 1 }, progress: silent }
    await expect(checkBackup(settings, file, after)).rejects.toThrow(/^--since is after the backup/)
  })

  it('does not have the keys, which another file gets', async () => {
    const content = await readFile(file)
    const keys = keysOf(backed)
    const { uploadKey, idempotencyKey } = backed.venue.secrets
    for (const key of [Buffer.from(keys, 'hex'), uploadKey, idempotencyKey].map((key) => Buffer.from(key))) {
      expect(content.includes(key.toString('hex'))).toBe(false)
      expect(content.includes(key)).toBe(false)
    }
    const keyFile = join(await newFolder(), 'keys.env')
    await writeKeyFile(keyFile, keys)
    expect(await readFile(keyFile, 'utf8')).toContain(`# venue key ${keyIdOf(keys)}\n`)
    expect(await readKeyFile(keyFile)).toEqual(keys)
    await expect(writeKeyFile(keyFile, keys)).rejects.toThrow(BackupError)
    await writeFile(keyFile, `VENUE_KEY=${keys.slice(1)}\n`)
    await expect(readKeyFile(keyFile)).rejects.toThrow('has no line VENUE_KEY=')
  })

  it('is encrypted: without its keys it shows nothing, and says which it needs', async () => {
    const content = await readFile(file)
    const { rows } = await backed.venue.database.pool.query<{ account: string; password_hash: string }>(
      'SELECT account, password_hash FROM member LIMIT 1',
    )
    for (const text of ['PGDMP', 'password_hash', ...Object.values(rows[0] ?? {})])
      expect([text, content.includes(text)]).toEqual([text, false])
    const own = keyIdOf(keysOf(backed))
    await expect(check(file, null)).rejects.toThrow(`is encrypted with the venue key ${own}: set VENUE_KEY`)
    const others = 'ab'.repeat(32)
    const line = `is encrypted with the venue key ${own}, and these keys are ${keyIdOf(others)}`
    await expect(check(file, others)).rejects.toThrow(line)
    const target = settingsOf(await newFolder(), postgres.url(), others)
    await expect(restoreBackup(target, file, null, silent)).rejects.toThrow(line)
    expect(
      (await checkBackup(settings, file, { keys: null, ownKeys: keysOf(backed), progress: silent })).findings,
    ).toEqual([])
  })

  it('has the key of the environment or of the folder in that file', async () => {
    const key = 'ab'.repeat(32)
    const folder = await newFolder()
    const keyIn = (env: Record<string, string> = {}) =>
      readVenueKeys(readSettings({ DATA_DIR: folder, ...env }))
    expect(await keyIn({ VENUE_KEY: key })).toBe(key)
    await expect(keyIn()).rejects.toThrow('VENUE_KEY is not set')
    await writeFile(join(folder, 'venue.key'), `${key}\n`)
    expect(await keyIn()).toBe(key)
  })

  it('by a login that does not own the tables is refused in one line, and leaves nothing behind', async () => {
    const login = `uptick_test_login_${randomUUID().slice(0, 8)}`
    const { pool } = backed.venue.database
    await pool.query(`CREATE ROLE ${login} LOGIN PASSWORD 'plain'`)
    try {
      // As the run roles have it: tables, but no sequences.
      await pool.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${login}`)
      const folder = await newFolder()
      const [target, keyFile] = [join(folder, 'venue.tar'), join(folder, 'keys.env')]
      const url = Object.assign(new URL(postgres.url()), { username: login, password: 'plain' }).href
      const run = (env: Record<string, string>): { status: number | null; stderr: string } => {
        const main = join(serverBundle(), 'backup.js')
        const { status, stderr } = spawnSync(process.execPath, [main, 'backup', target, '--keys', keyFile], {
          env: {
            PATH: process.env['PATH'],
            DATA_DIR: dataDir,
            VENUE_KEY: keysOf(backed),
            DATABASE_URL: url,
            ...env,
          },
        })
        return { status, stderr: stderr.toString() }
      }
      expect(run({})).toEqual({
        status: 2,
        stderr: `backup: a backup needs DATABASE_OWNER_URL: ${login}, the login of DATABASE_URL, may not read article_no_seq\n`,
      })
      expect(await readdir(folder)).toEqual([])
      // Whatever it fails at later leaves nothing either.
      expect(run({ DATABASE_OWNER_URL: postgres.url(), PATH: '' }).stderr).toContain('pg_dump is missing')
      expect(await readdir(folder)).toEqual([])
      expect(run({ DATABASE_OWNER_URL: postgres.url() }).status).toBe(0)
      expect((await readdir(folder)).toSorted()).toEqual(['keys.env', 'venue.tar'])
      expect(await readKeyFile(keyFile)).toEqual(keysOf(backed))
    } finally {
      await pool.query(`DROP OWNED BY ${login}; DROP ROLE ${login}`)
    }
  })

  it('is restored beside the original, which stays; what is not empty is refused', async () => {
    await withScratchDatabase(
      postgres.url(),
      `uptick_test_restore_${randomUUID().slice(0, 8)}`,
      async (url) => {
        const target = await newFolder()
        const beside = settingsOf(target, url)
        await restoreBackup(beside, file, keysOf(backed), silent)
        const database = await openForCommand(url)
        for (const table of ['orders', 'posting', 'tick_chunk', 'upload', 'schema_version'])
          expect(await countOf(database.pool, table)).toBe(await countOf(backed.venue.database.pool, table))
        await database.close()
        expect((await readdir(target)).toSorted()).toEqual(['uploads', 'venue.key'])
        expect(await readFile(join(target, 'uploads', backed.uploadId))).toEqual(
          await readFile(join(dataDir, 'uploads', backed.uploadId)),
        )
        await expect(restoreBackup(beside, file, null, silent)).rejects.toThrow(/uploads is not empty/)
        const empty = settingsOf(await newFolder(), url, keysOf(backed))
        await expect(restoreBackup(empty, file, null, silent)).rejects.toThrow(/the database is not empty/)
      },
    )
    const embedded = settingsOf(await newFolder(), null, keysOf(backed))
    await expect(restoreBackup(embedded, file, null, silent)).rejects.toThrow(/set DATABASE_URL/)
  })

  it('that is cut short, or has a flipped byte, is named damaged', async () => {
    const flipped = join(await newFolder(), 'flipped.tar')
    await copyFile(file, flipped)
    const handle = await open(flipped, 'r+')
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 20_000)
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 8]), 0, 1, 20_000)
    await handle.close()
    expect((await check(flipped)).findings).toEqual([
      'database.dump.age is not what the backup was made of (SHA-256)',
    ])
    const short = join(await newFolder(), 'short.tar')
    await copyFile(file, short)
    const shortened = await open(short, 'r+')
    await shortened.truncate(30_000)
    await shortened.close()
    await expect(check(short)).rejects.toThrow(BackupError)
  })

  it('names a photo whose file is missing, and one that another key was given for', async () => {
    const { body } = await uploadFile(backed.venue.app, backed.member, {
      purpose: 'service',
      file: await photo(),
    })
    await rm(join(dataDir, 'uploads', backed.uploadId))
    const uploads = join(dataDir, 'uploads')
    const checked = { keys: 'ab'.repeat(32), uploads, removed: [], progress: silent }
    const { findings } = await checkContents(backed.venue.db, checked)
    expect(findings.toSorted()).toEqual(
      [
        `photo ${backed.uploadId} is missing`,
        `photo ${(body as { uploadId: string }).uploadId} cannot be opened with the key`,
      ].toSorted(),
    )
  })
})

describe('a backup of the embedded database', () => {
  let dataDir: string
  let settings: Settings
  let backed: Backed
  let file: string
  let restored: { dataDir: string; database: Database }

  beforeAll(async () => {
    dataDir = await newFolder()
    const database: Database = await openDatabase({ dataDir })
    await database.migrate()
    backed = await openBackedUpVenue(database, dataDir)
    settings = settingsOf(dataDir, null, keysOf(backed))
    // The venue is running.
    const refused = createBackup(settings, join(await newFolder(), 'venue.tar'), silent)
    await expect(refused).rejects.toThrow(DataDirLockedError)
    await backed.venue.close()
    await database.close()
    file = join(await newFolder(), 'venue.tar')
    await createBackup(settings, file, silent)
    const target = await newFolder()
    await restoreBackup(settingsOf(target, null, keysOf(backed)), file, null, silent)
    restored = { dataDir: target, database: await openDatabase({ dataDir: target }) }
  })
  afterAll(() => restored.database.close())

  it('is good, and is restored into another folder', async () => {
    const { findings, passed } = await checkBackup(settings, file, { keys: keysOf(backed), progress: silent })
    expect(findings).toEqual([])
    expect(passed).toHaveLength(6)
    expect(await countOf(restored.database.pool, 'orders')).toBe(3)
    expect(await readdir(join(restored.dataDir, 'uploads'))).toEqual([backed.uploadId])
    await expect(restoreBackup(settings, file, null, silent)).rejects.toThrow(/db is not empty/)
  })

  /** Both kinds of backup end in this check, of the database that was restored. */
  it('names a changed posting, a changed result, a changed act of the staff and a flipped byte of a chunk', async () => {
    const { pool, db } = restored.database
    const findingsNow = async (): Promise<string[]> => {
      const uploads = join(restored.dataDir, 'uploads')
      return (await checkContents(db, { keys: keysOf(backed), uploads, removed: [], progress: silent }))
        .findings
    }
    expect(await findingsNow()).toEqual([])
    await changePosting(pool)
    expect(await findingsNow()).toEqual([
      expect.stringMatching(/^posting 2 of member .*: its amount is not what it moved$/),
      expect.stringMatching(/^posting 2 of member .*: it does not follow from the one before$/),
      expect.stringMatching(/^order .*: its postings are not what it moves$/),
    ])
    await changeResult(pool)
    const findings = await findingsNow()
    for (const { no } of backed.settled)
      expect(findings).toContainEqual(
        expect.stringMatching(`^order ${no}: its entryPrice is .*, the tick log says`),
      )
    await pool.query(
      "INSERT INTO audit (at, actor, act, subject_kind, subject_id) VALUES (1, 'mei', 'view', 'member', 'm')",
    )
    await withoutTriggers(pool, 'audit', "UPDATE audit SET actor = 'nobody' WHERE actor = 'mei'")
    await flipByte(pool)
    const again = await findingsNow()
    expect(again).toContainEqual(expect.stringMatching(/^row \d+ of the act log/))
    expect(again).toContainEqual(expect.stringMatching(/FAST.*(hash differs|cannot be read)/))
  })

  it('is made without a missing photo, but says so and fails', async () => {
    await rm(join(dataDir, 'uploads', backed.uploadId))
    const target = join(await newFolder(), 'venue.tar')
    const main = join(serverBundle(), 'backup.js')
    const { status, stdout } = spawnSync(process.execPath, [...nodeFlags, main, 'backup', target], {
      env: { DATA_DIR: dataDir, VENUE_KEY: keysOf(backed) },
    })
    expect(status).toBe(1)
    expect(stdout.toString()).toContain('the backup lacks 1 photo: is DATA_DIR the folder of the venue?\n')
    const { findings } = await checkBackup(settings, target, { keys: keysOf(backed), progress: silent })
    expect(findings).toEqual([`photo ${backed.uploadId} is missing`])
  })
})

const withoutTriggers = async (pool: Pool, table: string, statement: string): Promise<void> => {
  await pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await pool.query(statement)
  await pool.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
}

const flipByte = (pool: Pool) =>
  withoutTriggers(
    pool,
    'tick_chunk',
    'UPDATE tick_chunk SET data = set_byte(data, 60, get_byte(data, 60) # 8)',
  )
/** Balanced, so that only the postings around it show that it was changed. */
const changePosting = (pool: Pool) =>
  withoutTriggers(
    pool,
    'posting',
    "UPDATE posting SET available = available + 5, house = house - 5 WHERE type = 'stake' AND id = 2",
  )
const changeResult = (pool: Pool) =>
  withoutTriggers(
    pool,
    'orders',
    `UPDATE orders SET entry_price = entry_price - 1000000, exit_price = exit_price - 1000000
     WHERE settled_at IS NOT NULL`,
  )

it.each([
  [
    ['check', 'a.tar', '--since', 'yesterday'],
    '--since yesterday is not a time: 2026-05-01, 2026-05-01T02:00Z or epoch ms',
  ],
  [
    ['check', 'a.tar', '--since', '2026-02-30'],
    '--since 2026-02-30 is not a time: 2026-05-01, 2026-05-01T02:00Z or epoch ms',
  ],
  [
    ['check', 'a.tar', '--since', '2026-05-01T02:00'],
    '--since 2026-05-01T02:00 is not a time: 2026-05-01, 2026-05-01T02:00Z or epoch ms',
  ],
  [['check', 'a.tar', '--share', '5'], '--share is a part of the orders: more than 0, 1 at most'],
  [['check', 'a.tar', '--share', ''], '--share is a part of the orders: more than 0, 1 at most'],
  [['a.tar', '--share', '0.5'], '--since and --share are of a check: see --help'],
])('refuses %s', (words, line) => {
  const main = join(serverBundle(), 'backup.js')
  const { status, stderr } = spawnSync(process.execPath, [main, 'backup', ...words], { env: {} })
  expect([status, stderr.toString()]).toEqual([2, `backup: ${line}\n`])
})

it('a command of a build whose first word is neither backup nor restore does nothing', async () => {
  const folder = await newFolder()
  const main = join(serverBundle(), 'backup.js')
  const { status, stderr } = spawnSync(process.execPath, [main, 'check', join(folder, 'a.tar')], {
    env: { DATA_DIR: join(folder, 'data') },
  })
  expect([status, stderr.toString()]).toEqual([
    2,
    'backup: the first word is backup or restore: see --help\n',
  ])
  expect(await readdir(folder)).toEqual([])
})
