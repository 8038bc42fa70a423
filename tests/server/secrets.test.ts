import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SettingsError } from '../../server/config.ts'
import { openSecrets } from '../../server/secrets.ts'

const none = { deskKey: null, uploadKey: null, idempotencyKey: null }
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('made once, for the owner’s eyes, and the same ever after', async () => {
  const first = await openSecrets(folder, none)
  expect(first.deskKey).toMatch(/^[0-9a-f]{64}$/)
  expect(first.idempotencyKey).toHaveLength(32)
  expect(await openSecrets(folder, none)).toEqual(first)
  for (const name of ['desk.key', 'idempotency.key', 'upload.key']) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

test('a key from outside is used and leaves no file', async () => {
  expect((await openSecrets(folder, { ...none, deskKey: 'a key from outside' })).deskKey).toBe(
    'a key from outside',
  )
  await expect(readFile(join(folder, 'desk.key'))).rejects.toThrow('ENOENT')
})

test('a file that holds no key stops the start', async () => {
  await writeFile(join(folder, 'idempotency.key'), 'half a ke')
  await expect(openSecrets(folder, none)).rejects.toThrow(SettingsError)
})
