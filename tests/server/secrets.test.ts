import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../server/config.ts'
import { openMemoryDatabase } from '../../server/db/open.ts'
import type { Database } from '../../server/db/open.ts'
import { setting } from '../../server/db/schema/index.ts'
import { logOriginSettingKey, openSecrets } from '../../server/secrets.ts'
import type { EnvironmentKeys, Secrets } from '../../server/secrets.ts'
import { testFence } from '../support/testFence.ts'
import { openTestVenue } from '../support/testVenue.ts'

const noKeys: EnvironmentKeys = { backOfficeKey: null, uploadKey: null, idempotencyKey: null, logKey: null }
const otherKey = 'ef'.repeat(32)
let database: Database
let folder: string
const open = (fromEnvironment: Partial<EnvironmentKeys> = {}, dataDir = folder): Promise<Secrets> =>
  openSecrets({ dataDir, db: database.db, fence: testFence }, { ...noKeys, ...fromEnvironment })
const checks = async (): Promise<unknown> =>
  (await database.db.execute(sql`SELECT value FROM setting WHERE key = 'key_checks'`)).rows[0]?.['value']

const readOrigin = () =>
  database.db
    .select({ key: setting.key, value: setting.value })
    .from(setting)
    .where(eq(setting.key, logOriginSettingKey))

beforeAll(async () => {
  database = await openMemoryDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  await database.db.execute(sql`DELETE FROM setting WHERE key = 'key_checks'`)
})
afterEach(() => rm(folder, { recursive: true }))

it('creates keys once, readable by their owner only', async () => {
  const first = await open()
  expect(first.backOfficeKey).toMatch(/^[0-9a-f]{64}$/)
  expect(first.idempotencyKey).toHaveLength(32)
  expect(await open()).toEqual(first)
  for (const name of ['desk.key', 'idempotency.key', 'log.key', 'upload.key']) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

it('uses keys from the environment and creates no files', async () => {
  const keys = {
    backOfficeKey: 'a key from outside',
    uploadKey: otherKey,
    idempotencyKey: 'ab'.repeat(32),
    logKey: 'cd'.repeat(32),
  }
  expect(await open(keys)).toEqual({
    backOfficeKey: 'a key from outside',
    uploadKey: Buffer.from(otherKey, 'hex'),
    idempotencyKey: Buffer.from('ab'.repeat(32), 'hex'),
    logKey: Buffer.from('cd'.repeat(32), 'hex'),
  })
  for (const name of ['desk.key', 'idempotency.key', 'log.key', 'upload.key']) {
    await expect(readFile(join(folder, name))).rejects.toThrow('ENOENT')
  }
})

it('rejects a file that does not contain a key', async () => {
  await writeFile(join(folder, 'idempotency.key'), 'half a ke')
  await expect(open()).rejects.toThrow(SettingsError)
})

describe('the keys of a database', () => {
  const encryptingNames = [
    ['upload.key', 'uploadKey', 'UPLOAD_KEY'],
    ['idempotency.key', 'idempotencyKey', 'IDEMPOTENCY_KEY'],
  ] as const
  const names = [...encryptingNames, ['log.key', 'logKey', 'LOG_KEY']] as const

  it('are stored in it as check values only', async () => {
    const { uploadKey, idempotencyKey, logKey } = await open()
    const storedChecks = JSON.stringify(await checks())
    expect(storedChecks).toMatch(
      /^\{"logKey":"[0-9a-f]{64}","uploadKey":"[0-9a-f]{64}","idempotencyKey":"[0-9a-f]{64}"\}$/,
    )
    for (const key of [uploadKey, idempotencyKey, logKey]) {
      expect(storedChecks).not.toContain(Buffer.from(key).toString('hex'))
    }
  })

  it.each(encryptingNames)('are rejected by name if %s has another key', async (file) => {
    await open()
    await writeFile(join(folder, file), `${otherKey}\n`)
    await expect(open()).rejects.toThrow(
      `${join(folder, file)} is not the key that this database was used with`,
    )
  })

  it.each(encryptingNames)('are not created again if %s is missing', async (file, _name, variable) => {
    await open()
    await rm(join(folder, file))
    await expect(open()).rejects.toThrow(`${join(folder, file)} is missing`)
    await expect(open()).rejects.toThrow(`or set ${variable}`)
    await expect(readFile(join(folder, file))).rejects.toThrow('ENOENT')
  })

  it.each(names)(
    'are rejected by name if a variable has another key than %s',
    async (_file, name, variable) => {
      await open()
      await expect(open({ [name]: otherKey })).rejects.toThrow(`${variable} is not the key`)
    },
  )

  it.each([
    ['lost', () => rm(join(folder, 'log.key'))],
    ['another one', () => writeFile(join(folder, 'log.key'), `${otherKey}\n`)],
  ])(
    'include a log.key that can be %s: the public log then goes on under another name',
    async (_how, change) => {
      const { logKey, ...others } = await open()
      const origin = { key: logOriginSettingKey, value: 'example.com/log/1' }
      await database.db.insert(setting).values(origin)
      expect((await open()).logKey).toEqual(logKey)
      expect(await readOrigin()).toEqual([origin])
      await change()
      const replaced = await open()
      expect(replaced).toMatchObject(others)
      expect(replaced.logKey).not.toEqual(logKey)
      expect(await readOrigin()).toEqual([])
      expect(await open()).toEqual(replaced)
      const hex = Buffer.from(logKey).toString('hex')
      await expect(open({ logKey: hex })).rejects.toThrow('LOG_KEY is not the key')
    },
  )

  it('can come from variables instead of files', async () => {
    const { uploadKey, idempotencyKey, logKey } = await open()
    await rm(folder, { recursive: true })
    folder = await mkdtemp(join(tmpdir(), 'secrets-'))
    const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')
    expect(
      await open({
        uploadKey: hex(uploadKey),
        idempotencyKey: hex(idempotencyKey).toUpperCase(),
        logKey: hex(logKey),
      }),
    ).toMatchObject({ uploadKey, idempotencyKey, logKey })
  })

  it('do not include the back office key, which can be changed', async () => {
    await open()
    await writeFile(join(folder, 'desk.key'), `${otherKey}\n`)
    expect((await open()).backOfficeKey).toBe(otherKey)
    expect((await open({ backOfficeKey: 'another-desk-key-now' })).backOfficeKey).toBe('another-desk-key-now')
  })

  it('get their check values at the first start with a database of an earlier build', async () => {
    const venue = await openTestVenue(database)
    await venue.createMember()
    await writeFile(join(folder, 'upload.key'), `${otherKey}\n`)
    // The members' rows are encrypted with a key that is missing: no other key is created.
    await expect(open()).rejects.toThrow('idempotency.key is missing')
    expect(await checks()).toBeUndefined()
    await writeFile(join(folder, 'idempotency.key'), `${otherKey}\n`)
    // The key of the log encrypts nothing: a database from before the log gets one.
    await open()
    expect(await checks()).toMatchObject({ uploadKey: expect.any(String), logKey: expect.any(String) })
    await venue.close()
  })
})
