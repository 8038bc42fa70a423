import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
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
import { noVenueKeys, parseVenueKey } from '../../server/venueKey.ts'
import { testFence } from '../support/testFence.ts'
import { openTestVenue } from '../support/testVenue.ts'

const noKeys: EnvironmentKeys = { backOfficeKey: null, ...noVenueKeys }
const otherKey = 'ef'.repeat(32)
const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')
let database: Database
let folder: string
const open = (fromEnvironment: Partial<EnvironmentKeys> = {}, dataDir = folder): Promise<Secrets> =>
  openSecrets({ dataDir, db: database.db, fence: testFence }, { ...noKeys, ...fromEnvironment })
/** The folder of a venue of an earlier build. */
const writeThreeKeys = async (): Promise<void> => {
  const files = [
    ['upload.key', '01'],
    ['idempotency.key', '02'],
    ['log.key', '03'],
  ] as const
  for (const [name, byte] of files) await writeFile(join(folder, name), `${byte.repeat(32)}\n`)
}
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
  const { uploadKey, idempotencyKey, logKey } = first
  expect(new Set([uploadKey, idempotencyKey, logKey].map((key) => hex(key))).size).toBe(3)
  for (const key of [uploadKey, idempotencyKey, logKey]) expect(key).toHaveLength(32)
  expect(await open()).toEqual(first)
  expect((await readdir(folder)).toSorted()).toEqual(['desk.key', 'venue.key'])
  for (const name of ['desk.key', 'venue.key']) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

it('derives the same keys of one VENUE_KEY everywhere, for ever', async () => {
  const key = '0123456789abcdef'.repeat(4)
  const derived = {
    uploadKey: '26d000447dd7c71f1969c8febb6cd5b835c248450c5cf6f9ef8a80e5dc06e4c7',
    idempotencyKey: '0fbafe022f7149b8a1839ca5f7e01eaf499534b81f66bb09c1989da0629ab669',
    logKey: 'ff426d6716e28dfaea61caee479ded360ebd35738a48b88c2a813978e094d502',
  }
  expect(parseVenueKey(key)).toEqual({ ...derived, isOneKey: true })
  expect(parseVenueKey(key.toUpperCase())).toEqual({ ...derived, isOneKey: true })
  const fromVariable = await open({ ...derived, isOneKey: true })
  expect(await readdir(folder)).toEqual(['desk.key'])
  await writeFile(join(folder, 'venue.key'), `${key}\n`)
  expect(await open()).toEqual(fromVariable)
})

it('takes the keys of an earlier build in one variable or file, and those that it leaves out from their files', async () => {
  await writeThreeKeys()
  const first = await open()
  expect(first.uploadKey).toEqual(Buffer.from('01'.repeat(32), 'hex'))
  const three = ['01', '02', '03'].map((byte) => byte.repeat(32))
  expect(await open(parseVenueKey(three.join(':'))!)).toEqual(first)
  await rm(join(folder, 'upload.key'))
  expect(await open(parseVenueKey(`${three[0]}::`)!)).toEqual(first)
  await writeFile(join(folder, 'venue.key'), `${three[0]}::\n`)
  expect(await open()).toEqual(first)
  expect((await readdir(folder)).toSorted()).toEqual(['desk.key', 'idempotency.key', 'log.key', 'venue.key'])
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
  expect(await readdir(folder)).toEqual([])
})

it.each(['venue.key', 'idempotency.key', 'desk.key'])(
  'rejects %s if it does not contain a key',
  async (name) => {
    if (name === 'idempotency.key') await writeThreeKeys()
    await writeFile(join(folder, name), 'half a ke')
    await expect(open()).rejects.toThrow(SettingsError)
    await expect(open()).rejects.toThrow(`${join(folder, name)} does not contain a key: it must be 64 `)
  },
)

describe('the keys of a database', () => {
  const encryptingNames = [
    ['upload.key', 'uploadKey', 'the upload key'],
    ['idempotency.key', 'idempotencyKey', 'the idempotency key'],
  ] as const
  const names = [...encryptingNames, ['log.key', 'logKey', 'the log key']] as const

  it('are rejected by name if venue.key, or VENUE_KEY, is another one', async () => {
    await open()
    const other = parseVenueKey(otherKey)!
    await expect(open(other)).rejects.toThrow(/^VENUE_KEY is not the key that this database was used with/)
    await writeFile(join(folder, 'venue.key'), `${otherKey}\n`)
    await expect(open()).rejects.toThrow(`${join(folder, 'venue.key')} is not the key that this database`)
  })

  it('are not created again if venue.key is missing', async () => {
    await open()
    await rm(join(folder, 'venue.key'))
    await expect(open()).rejects.toThrow(
      `${join(folder, 'venue.key')} is missing, and this database was used with one, or with upload.key,`,
    )
    await expect(open()).rejects.toThrow('or set VENUE_KEY')
    expect(await readdir(folder)).toEqual(['desk.key'])
  })

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
    await writeThreeKeys()
    await open()
    await writeFile(join(folder, file), `${otherKey}\n`)
    await expect(open()).rejects.toThrow(
      `${join(folder, file)} is not the key that this database was used with`,
    )
  })

  it.each(encryptingNames)('are not created again if %s is missing', async (file) => {
    await writeThreeKeys()
    await open()
    await rm(join(folder, file))
    await expect(open()).rejects.toThrow(`${join(folder, file)} is missing`)
    await expect(open()).rejects.toThrow('or set VENUE_KEY')
    await expect(readFile(join(folder, file))).rejects.toThrow('ENOENT')
  })

  it.each(names)(
    'are rejected by name if a variable has another key than %s',
    async (_file, name, called) => {
      await writeThreeKeys()
      await open()
      await expect(open({ [name]: otherKey })).rejects.toThrow(`${called} in VENUE_KEY is not the key`)
    },
  )

  it.each([
    ['lost', () => rm(join(folder, 'log.key'))],
    ['another one', () => writeFile(join(folder, 'log.key'), `${otherKey}\n`)],
  ])(
    'include a log.key that can be %s: the public log then goes on under another name',
    async (_how, change) => {
      await writeThreeKeys()
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
      await expect(open({ logKey: hex(logKey) })).rejects.toThrow('the log key in VENUE_KEY is not the key')
    },
  )

  it('can come from variables instead of files', async () => {
    const { uploadKey, idempotencyKey, logKey } = await open()
    await rm(folder, { recursive: true })
    folder = await mkdtemp(join(tmpdir(), 'secrets-'))
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
