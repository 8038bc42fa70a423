import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../../server/platform/settingsError.ts'
import { openSecrets, type EnvironmentKeys, type Secrets } from '../../../server/platform/secrets.ts'
import { noVenueKeys, parseVenueKey } from '../../../server/platform/venueKey.ts'
import { testFence } from '../../support/testFence.ts'
import { withDatabase, withVenue } from '../../support/withVenue.ts'

const noKeys: EnvironmentKeys = { deskKey: null, ...noVenueKeys }
const otherKey = 'ef'.repeat(32)
const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')
let folder: string
const open = (fromEnvironment: Partial<EnvironmentKeys> = {}, dataDir = folder): Promise<Secrets> =>
  openSecrets({ dataDir, db: database.db, fence: testFence }, { ...noKeys, ...fromEnvironment })
const checks = async (): Promise<unknown> =>
  (await database.db.execute(sql`SELECT value FROM setting WHERE key = 'key_checks'`)).rows[0]?.['value']

const database = await withDatabase()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  await database.db.execute(sql`DELETE FROM setting WHERE key = 'key_checks'`)
})
afterEach(() => rm(folder, { recursive: true }))

it('creates keys once, readable by their owner only', async () => {
  const first = await open()
  expect(first.deskKey).toMatch(/^[0-9a-f]{64}$/)
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
  expect(parseVenueKey(key)).toEqual(derived)
  expect(parseVenueKey(key.toUpperCase())).toEqual(derived)
  expect(parseVenueKey(key.slice(1))).toBe(null)
  const fromVariable = await open(derived)
  expect(await readdir(folder)).toEqual(['desk.key'])
  await writeFile(join(folder, 'venue.key'), `${key}\n`)
  expect(await open()).toEqual(fromVariable)
})

it('uses keys from the environment and creates no files', async () => {
  const keys = {
    deskKey: 'a key from outside',
    uploadKey: otherKey,
    idempotencyKey: 'ab'.repeat(32),
    logKey: 'cd'.repeat(32),
  }
  expect(await open(keys)).toEqual({
    deskKey: 'a key from outside',
    uploadKey: Buffer.from(otherKey, 'hex'),
    idempotencyKey: Buffer.from('ab'.repeat(32), 'hex'),
    logKey: Buffer.from('cd'.repeat(32), 'hex'),
  })
  expect(await readdir(folder)).toEqual([])
})

it.each(['venue.key', 'desk.key'])('rejects %s if it does not contain a key', async (name) => {
  await writeFile(join(folder, name), 'half a ke')
  await expect(open()).rejects.toThrow(SettingsError)
  await expect(open()).rejects.toThrow(`${join(folder, name)} does not contain a key: it must be 64 `)
})

describe('the keys of a database', () => {
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
      `${join(folder, 'venue.key')} is missing, and this database was used with one: restore that file,`,
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
    expect((await open()).deskKey).toBe(otherKey)
    expect((await open({ deskKey: 'another-desk-key-now' })).deskKey).toBe('another-desk-key-now')
  })

  it('are not made where members have rows that were encrypted with some', async () => {
    const venue = await withVenue({ database })
    await venue.createMember()
    await venue.close()
    await expect(open()).rejects.toThrow('venue.key is missing')
    expect(await checks()).toBeUndefined()
  })
})
