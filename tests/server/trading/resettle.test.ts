import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { resettle } from '../../support/resettle.ts'
import { testSeed } from '../../support/testSeed.ts'

it('300 settled orders settle again from the log, byte by byte, after a restart', async () => {
  const database = await openMemoryDatabase()
  const { outcomes, ...found } = await resettle(database, 300, testSeed())
  await database.close()
  expect(found).toEqual({ tried: 300, violations: [] })
  expect(Object.keys(outcomes).length).toBeGreaterThan(1)
}, 300_000)
