import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEmbeddedEngine } from '../../../../server/platform/db/embeddedEngine.ts'
import { createEngineDatabase } from '../../../../server/platform/db/memory.ts'

it('is created where the build has no empty database of its schema', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'uptick-created-'))
  const engine = await openEmbeddedEngine(join(dir, 'db'), () => null)
  const database = createEngineDatabase(engine, () => engine.close())
  await database.migrate()
  expect((await database.pool.query('SELECT term::int FROM lease')).rows).toEqual([{ term: 0 }])
  await database.close()
  await rm(dir, { recursive: true })
})
