import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../server/config.ts'
import { openMemoryDatabase } from '../../server/db/open.ts'
import type { Database } from '../../server/db/open.ts'
import { openSecrets } from '../../server/secrets.ts'
import type { EnvironmentKeys, Secrets } from '../../server/secrets.ts'
import { testFence } from '../support/testFence.ts'
import { openTestVenue } from '../support/testVenue.ts'

const none: EnvironmentKeys = { backOfficeKey: null, uploadKey: null, idempotencyKey: null }
const other = 'ef'.repeat(32)
let database: Database
let folder: string
const open = (given: Partial<EnvironmentKeys> = {}, dataDir = folder): Promise<Secrets> =>
  openSecrets({ dataDir, db: database.db, fence: testFence }, { ...none, ...given })
const checks = async (): Promise<unknown> =>
  (await database.db.execute(sql`SELECT value FROM setting WHERE key = 'key_checks'`)).rows[0]?.['value']

beforeAll(async () => {
  database = await openMemoryDatabase()
}, 60_000)
afterAll(() => database.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  await database.db.execute(sql`DELETE FROM setting WHERE key = 'key_checks'`)
})
afterEach(() => rm(folder, { recursive: true }))

it('made once, for the owner’s eyes, and the same ever after', async () => {
  const first = await open()
  expect(first.backOfficeKey).toMatch(/^[0-9a-f]{64}$/)
  expect(first.idempotencyKey).toHaveLength(32)
  expect(await open()).toEqual(first)
  for (const name of ['desk.key', 'idempotency.key', 'upload.key']) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

it('a key from outside is used and leaves no file', async () => {
  const given = { backOfficeKey: 'a key from outside', uploadKey: other, idempotencyKey: 'ab'.repeat(32) }
  expect(await open(given)).toEqual({
    backOfficeKey: 'a key from outside',
    uploadKey: Buffer.from(other, 'hex'),
    idempotencyKey: Buffer.from('ab'.repeat(32), 'hex'),
  })
  for (const name of ['desk.key', 'idempotency.key', 'upload.key']) {
    await expect(readFile(join(folder, name))).rejects.toThrow('ENOENT')
  }
})

it('a file that holds no key stops the start', async () => {
  await writeFile(join(folder, 'idempotency.key'), 'half a ke')
  await expect(open()).rejects.toThrow(SettingsError)
})

describe('keys belong to their database', () => {
  const names = [
    ['upload.key', 'uploadKey', 'UPLOAD_KEY'],
    ['idempotency.key', 'idempotencyKey', 'IDEMPOTENCY_KEY'],
  ] as const

  it('what the database keeps of them is a check value, not the key', async () => {
    const { uploadKey, idempotencyKey } = await open()
    const kept = JSON.stringify(await checks())
    expect(kept).toMatch(/^\{"uploadKey":"[0-9a-f]{64}","idempotencyKey":"[0-9a-f]{64}"\}$/)
    for (const key of [uploadKey, idempotencyKey]) {
      expect(kept).not.toContain(Buffer.from(key).toString('hex'))
    }
  })

  it.each(names)('another %s is refused by name', async (file) => {
    await open()
    await writeFile(join(folder, file), `${other}\n`)
    await expect(open()).rejects.toThrow(
      `${join(folder, file)} is not the key that this database was used with`,
    )
  })

  it.each(names)('a missing %s is refused, not made anew', async (file, _name, variable) => {
    await open()
    await rm(join(folder, file))
    await expect(open()).rejects.toThrow(`${join(folder, file)} is missing`)
    await expect(open()).rejects.toThrow(`or set ${variable}`)
    await expect(readFile(join(folder, file))).rejects.toThrow('ENOENT')
  })

  it.each(names)(
    'beside %s, a variable with another key is refused by name',
    async (_file, name, variable) => {
      await open()
      await expect(open({ [name]: other })).rejects.toThrow(`${variable} is not the key`)
    },
  )

  it('the right keys from variables serve without their files', async () => {
    const { uploadKey, idempotencyKey } = await open()
    await rm(folder, { recursive: true })
    folder = await mkdtemp(join(tmpdir(), 'secrets-'))
    const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')
    expect(
      await open({ uploadKey: hex(uploadKey), idempotencyKey: hex(idempotencyKey).toUpperCase() }),
    ).toMatchObject({ uploadKey, idempotencyKey })
  })

  it('the desk’s key may change at any start', async () => {
    await open()
    await writeFile(join(folder, 'desk.key'), `${other}\n`)
    expect((await open()).backOfficeKey).toBe(other)
    expect((await open({ backOfficeKey: 'another-desk-key-now' })).backOfficeKey).toBe('another-desk-key-now')
  })

  it('a database of an earlier build gets its check values at the first start', async () => {
    const venue = await openTestVenue(database)
    await venue.createMember()
    await writeFile(join(folder, 'upload.key'), `${other}\n`)
    // Its members' rows are sealed with a key that is not here: none is made in its place.
    await expect(open()).rejects.toThrow('idempotency.key is missing')
    expect(await checks()).toBeUndefined()
    await writeFile(join(folder, 'idempotency.key'), `${other}\n`)
    await open()
    expect(await checks()).toMatchObject({ uploadKey: expect.any(String) })
    await venue.close()
  })
})
