import { expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { resettle } from '../../../scenarios/resettle.ts'
import { testSeed } from '../../../support/testSeed.ts'

it('settles 120 orders again from the log after a restart, with byte-identical results', async () => {
  const database = await withDatabase()
  const { outcomes, ...report } = await resettle(database, 120, testSeed())
  expect(report).toEqual({ tried: 120, violations: [] })
  expect(Object.keys(outcomes).length).toBeGreaterThan(1)
})
