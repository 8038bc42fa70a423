import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../../server/platform/db/open.ts'
import { EmbeddedClosedError } from '../../../../server/platform/db/portStream.ts'

/** A database whose thread ends at its first message. */
async function openDying() {
  const dir = await mkdtemp(join(tmpdir(), 'uptick-dying-'))
  const errors: unknown[] = []
  const database = await openDatabase({
    dataDir: dir,
    workerUrl: new URL('../../../support/dyingWorker.mjs', import.meta.url),
    onBackgroundError: (error) => errors.push(error),
  })
  return { dir, errors, database }
}

it('fails queries at once if the thread ends, reports it, and can still be closed', async () => {
  const { dir, errors, database } = await openDying()
  await expect(database.pool.query('SELECT 1')).rejects.toThrow()
  await expect(database.pool.query('SELECT 1')).rejects.toThrow()
  await database.close()
  expect(errors.filter((error) => error instanceof EmbeddedClosedError)).toHaveLength(1)
  await rm(dir, { recursive: true })
})

it('can be closed although the thread ends before it has closed, and reports that', async () => {
  const { dir, errors, database } = await openDying()
  await database.close()
  await expect.poll(() => errors).toEqual([expect.any(EmbeddedClosedError)])
  await rm(dir, { recursive: true })
})

it('rejects a folder that is not a database, and releases the lock', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'uptick-broken-'))
  await writeFile(join(dir, 'db'), 'not a folder')
  await expect(openDatabase({ dataDir: dir })).rejects.toThrow(EmbeddedClosedError)
  await expect(openDatabase({ dataDir: dir })).rejects.toThrow(EmbeddedClosedError)
  await rm(dir, { recursive: true })
})

it('repeats a first start that was killed half-way', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'uptick-half-'))
  await mkdir(join(dir, 'db'))
  await writeFile(join(dir, 'db', 'PG_VERSION'), '18')
  await writeFile(join(dir, 'db.making'), '')
  const database = await openDatabase({ dataDir: dir })
  await database.migrate()
  await database.close()
  expect(await readdir(dir)).toEqual(['db'])
  await rm(dir, { recursive: true })
})
