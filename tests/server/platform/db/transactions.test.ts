import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { setting } from '../../../../server/platform/db/schema.ts'
import { createCancelOnce } from '../../../support/cancelOnce.ts'

const database = await withDatabase()
beforeAll(async () => {
  await createCancelOnce(database)
  await database.owner.query(`
    CREATE CONSTRAINT TRIGGER cancel_once AFTER INSERT ON setting DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION cancel_once();`)
})

it('a transaction that is cancelled at its commit runs again, and its last run counts', async () => {
  let runs = 0
  const returned = await database.db.transaction(async (tx) => {
    runs += 1
    await tx.insert(setting).values({ key: 'run', value: runs })
    return runs
  })
  expect({ runs, returned }).toEqual({ runs: 2, returned: 2 })
  expect(await database.db.select().from(setting).where(eq(setting.key, 'run'))).toMatchObject([{ value: 2 }])
  expect(database.pool.waitingCount).toBe(0)
})
