import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { SettingsError } from '../../../../server/platform/settingsError.ts'
import { checkDeskKey, storeDeskKeyCheck } from '../../../../server/start/deskKeyCheck.ts'
import { openSecrets, type EnvironmentKeys } from '../../../../server/platform/secrets.ts'
import { noVenueKeys, parseVenueKey } from '../../../../server/platform/venueKey.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { testFence } from '../../../support/testFence.ts'

const postgres = await withPostgres('two_nodes_keys')
const noKeys: EnvironmentKeys = { deskKey: null, ...noVenueKeys }

postgres.describe('keys of nodes on one database', () => {
  const open = (dataDir: string, keys: Partial<EnvironmentKeys> = {}) =>
    openSecrets({ dataDir, db: postgres.database().db, fence: testFence }, { ...noKeys, ...keys })
  const withFolders = async (count: number, work: (folders: string[]) => Promise<void>): Promise<void> => {
    const folders: string[] = []
    for (let i = 0; i < count; i++) folders.push(await mkdtemp(join(tmpdir(), 'node-keys-')))
    await work(folders)
    for (const folder of folders) await rm(folder, { recursive: true })
  }

  it('are those of the first one when several start for the first time at once, and the others are refused', async () => {
    await withFolders(6, async (folders) => {
      const starts = await Promise.allSettled(folders.map((folder) => open(folder)))
      const opened = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      expect(opened).toHaveLength(1)
      for (const start of starts) {
        if (start.status === 'rejected') expect(start.reason).toBeInstanceOf(SettingsError)
      }
      const again = await Promise.allSettled(folders.map((folder) => open(folder)))
      expect(again.map(({ status }) => status)).toEqual(starts.map(({ status }) => status))
    })
  })

  it('refuse a node with another venue key', async () => {
    await postgres.database().db.execute(sql`DELETE FROM setting WHERE key = 'key_checks'`)
    const [keys, others] = ['ab', 'ef'].map((byte) => parseVenueKey(byte.repeat(32))!)
    await withFolders(3, async ([first = '', second = '', third = '']) => {
      const opened = await open(first, keys)
      expect(await open(second, keys)).toMatchObject({ uploadKey: opened.uploadKey })
      await expect(open(third, others)).rejects.toThrow(
        'VENUE_KEY is not the key that this database was used with',
      )
      await expect(open(third)).rejects.toThrow('venue.key is missing')
    })
  })

  it('refuse a node whose desk key differs, by a check value that is slow to guess from', async () => {
    const { db } = postgres.database()
    const venue = { db, fence: testFence }
    const first = { key: 'sixteen-letters1', source: 'DESK_KEY' }
    const second = { key: 'sixteen-letters2', source: '/data/desk.key' }
    await checkDeskKey(db, first)
    await storeDeskKeyCheck(venue, first, false)
    await storeDeskKeyCheck(venue, second, false)
    await checkDeskKey(db, first)
    await expect(checkDeskKey(db, second)).rejects.toThrow(SettingsError)
    await expect(checkDeskKey(db, second)).rejects.toThrow('/data/desk.key is not the key')
    const { rows } = await db.execute(sql`SELECT value FROM setting WHERE key = 'desk_key_check'`)
    expect(rows).toMatchObject([{ value: { cost: { N: 16_384, r: 8, p: 1 } } }])
    await storeDeskKeyCheck(venue, second, true)
    await checkDeskKey(db, second)
    await expect(checkDeskKey(db, first)).rejects.toThrow('DESK_KEY is not the key')
    const generated = { key: 'c'.repeat(64), source: 'DESK_KEY', isGenerated: true }
    await storeDeskKeyCheck(venue, generated, true)
    await checkDeskKey(db, generated)
    await expect(checkDeskKey(db, second)).rejects.toThrow('/data/desk.key is not the key')
  })
})
