import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirLockedError, lockDataDir } from '../../../server/db/lock.ts'

let dir = ''
let path = ''

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptick-lock-'))
  path = join(dir, 'venue.lock.1')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

describe('the lock of the data folder', () => {
  it('one holder at a time; free again after release', async () => {
    const first = await lockDataDir(dir)
    await expect(lockDataDir(dir)).rejects.toThrow(DataDirLockedError)
    await expect(lockDataDir(dir)).rejects.toThrow(new RegExp(`in use by process ${process.pid}`))
    await first.release()
    const second = await lockDataDir(dir)
    await second.release()
    expect(await readdir(dir)).toEqual([])
  })

  it('makes the folder', async () => {
    const lock = await lockDataDir(join(dir, 'new', 'data'))
    expect(existsSync(join(dir, 'new', 'data', 'venue.lock.1'))).toBe(true)
    await lock.release()
  })

  it.runIf(process.platform === 'linux')('the lock of a process that is gone is taken over', async () => {
    await leave({ pid: 2 ** 22 + 1 })
    await (await lockDataDir(dir)).release()
  })

  it.runIf(process.platform === 'linux')('a reused pid is not the holder', async () => {
    await leave({ pid: process.pid, startedAt: '1' })
    await (await lockDataDir(dir)).release()
  })

  it('a holder in another container counts as alive while it touches the lock', async () => {
    await leave({ realm: 'another boot' })
    await expect(lockDataDir(dir)).rejects.toThrow(DataDirLockedError)
    await silence()
    await (await lockDataDir(dir)).release()
  })

  it('an unreadable lock is respected while fresh, and taken over when old', async () => {
    await writeFile(path, '')
    await expect(lockDataDir(dir)).rejects.toThrow(DataDirLockedError)
    await silence()
    await (await lockDataDir(dir)).release()
  })

  it('of many that find a dead holder, exactly one takes over', async () => {
    for (let round = 0; round < 50; round += 1) {
      await writeFile(path, '')
      await silence()
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dir)))
      const won = tries.filter((result) => result.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await won[0]!.value.release()
    }
  })

  it('release does not remove a lock that is no longer its own', async () => {
    const lock = await lockDataDir(dir)
    await leave({ token: 'other' })
    await lock.release()
    expect(await readFile(path, 'utf8')).toContain('other')
  })
})

/** Writes a lock like this process's own, but for `changes`. */
async function leave(changes: Record<string, unknown>): Promise<void> {
  if (!existsSync(path)) await lockDataDir(dir)
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...changes }))
}

async function silence(): Promise<void> {
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(path, longAgo, longAgo)
}
