import { expect, it } from 'vitest'
import { retention } from '../../../../contract/retention.ts'
import { createPasswordGuard } from '../../../../server/members/accounts/passwordGuard.ts'
import { passwordFailure } from '../../../../server/members/schema.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()

it('a job deletes counts of wrong passwords once they no longer count, and no others', async () => {
  const { db, clock, passwords } = venue
  const guard = createPasswordGuard({ db, clock, passwords })
  const [early, late] = [await venue.createMember(), await venue.createMember()]
  expect(await guard.verify(early.id, 'transaction', '000111')).toBe(false)
  await clock.jumpBy(1)
  expect(await guard.verify(late.id, 'login', 'not it at all')).toBe(false)
  await clock.jumpBy(retention.wrongCodes.ms)
  expect(await db.select().from(passwordFailure)).toMatchObject([{ memberId: late.id }])
})
