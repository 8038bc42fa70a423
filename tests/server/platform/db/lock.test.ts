import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirLockedError, lockDataDir } from '../../../../server/platform/db/lock.ts'

let dir = ''
let path = ''

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptick-lock-'))
  path = join(dir, 'venue.lock.1')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

describe('the lock of the data folder', () => {
  it('has one holder at a time and is free again after its release', async () => {
    const first = await lockDataDir(dir)
    await expect(lockDataDir(dir)).rejects.toThrow(DataDirLockedError)
    await expect(lockDataDir(dir)).rejects.toThrow(new RegExp(`in use by process ${process.pid}`))
    await first.release()
    const second = await lockDataDir(dir)
    await second.release()
    expect(await readdir(dir)).toEqual([])
  })

  it('creates the folder', async () => {
    const lock = await lockDataDir(join(dir, 'new', 'data'))
    expect(existsSync(join(dir, 'new', 'data', 'venue.lock.1'))).toBe(true)
    await lock.release()
  })

  it.runIf(process.platform === 'linux')('is taken over from a process that is gone', async () => {
    await writeLock({ pid: 2 ** 22 + 1 })
    await (await lockDataDir(dir)).release()
  })

  it.runIf(process.platform === 'linux')(
    'is taken over if another process has the pid of the holder',
    async () => {
      await writeLock({ pid: process.pid, startedAt: '1' })
      await (await lockDataDir(dir)).release()
    },
  )

  it('is not taken over from another container while its holder touches it', async () => {
    await writeLock({ realm: 'another boot' })
    await expect(lockDataDir(dir)).rejects.toThrow(DataDirLockedError)
    await ageLock()
    await (await lockDataDir(dir)).release()
  })

  it('is respected while fresh and taken over when old if it is unreadable', async () => {
    await writeFile(path, '')
    await expect(lockDataDir(dir)).rejects.toThrow(DataDirLockedError)
    await ageLock()
    await (await lockDataDir(dir)).release()
  })

  it('is taken over from a dead holder by exactly one of many', async () => {
    for (let round = 0; round < 50; round += 1) {
      await writeFile(path, '')
      await ageLock()
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dir)))
      const won = tries.filter((result) => result.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await won[0]!.value.release()
    }
  })

  it('is not removed by the release of a former holder', async () => {
    const lock = await lockDataDir(dir)
    await writeLock({ token: 'other' })
    await lock.release()
    expect(await readFile(path, 'utf8')).toContain('other')
  })
})

/** Writes a lock like this process's own, except for `changes`. */
async function writeLock(changes: Record<string, unknown>): Promise<void> {
  if (!existsSync(path)) await lockDataDir(dir)
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...changes }))
}

async function ageLock(): Promise<void> {
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(path, longAgo, longAgo)
}
