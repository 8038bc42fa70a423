import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { minor } from '../../../../contract/units.ts'
import { dayMs, hourMs } from '../../../../contract/time.ts'
import { fundConfig } from '../../../../server/money/fund/fundConfig.ts'
import { createFundMember } from '../../../support/fundMember.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('fund')

/** Members whose balance, fund account, lots and holds do not agree. */
async function findInconsistencies(
  run: (query: ReturnType<typeof sql>) => Promise<unknown>,
): Promise<unknown> {
  return run(sql`SELECT b.member_id FROM balance b LEFT JOIN fund_account f USING (member_id)
    WHERE b.fund <> coalesce(f.confirmed + f.pending, 0)
      OR coalesce(f.confirmed, 0) <> coalesce((SELECT sum(remaining) FROM fund_lot l
        WHERE l.member_id = b.member_id AND l.status = 'confirmed'), 0)
      OR coalesce(f.pending, 0) <> coalesce((SELECT sum(remaining) FROM fund_lot l
        WHERE l.member_id = b.member_id AND l.status = 'pending_review'), 0)
      OR b.held <> coalesce((SELECT sum(amount) FROM hold h WHERE h.member_id = b.member_id
        AND NOT EXISTS (SELECT FROM hold_resolution r WHERE r.hold_id = h.id)), 0)`)
}

postgres.describe('on PostgreSQL', () => {
  const fund = z.parse(fundConfig, {
    practicePer10k: ['1.0000'],
    depositsPerDay: 40,
    withdrawalsPerDay: 40,
  })
  const settings = { operatorConfig: { fund } }
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), settings)
  })
  afterAll(async () => {
    expect(venue.reportedErrors).toEqual([])
    await venue.close()
  })
  const inconsistencies = async () =>
    (await findInconsistencies((query) => venue.db.execute(query).then(({ rows }) => rows))) as unknown[]

  it('concurrent deposits never exceed the balance', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await createFundMember(venue, minor(50_000))
      const answers = await Promise.all(Array.from({ length: 30 }, () => member.deposit('50.00')))
      const codes = answers.map(({ status, code }) => code ?? status)
      expect(codes.filter((code) => code === 201)).toHaveLength(10)
      expect(codes.filter((code) => code === 'INSUFFICIENT_BALANCE')).toHaveLength(20)
      expect(await member.balance()).toMatchObject({ available: 0, fund: 50_000 })
    }
    expect(await inconsistencies()).toEqual([])
  })

  it('concurrent deposits never exceed the daily limit', async () => {
    const member = await createFundMember(venue)
    const answers = await Promise.all(Array.from({ length: 47 }, () => member.deposit('1.00')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(40)
    expect(answers.filter(({ code }) => code === 'FUND_TIMES_USED')).toHaveLength(7)
  })

  it('concurrent withdrawals and deposits never withdraw more than the confirmed amount', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await createFundMember(venue, minor(100_000))
      await member.deposit('500.00')
      await venue.clock.jumpBy(3 * dayMs)
      await venue.fund.catchUp(member.id)
      const fundBefore = (await member.balance()).fund
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          i % 3 === 2 ? member.deposit('10.00') : member.withdraw('50.00', i % 3 === 0 ? 'fast' : 'standard'),
        ),
      )
      const taken = answers.filter(({ status }, i) => status === 201 && i % 3 !== 2).length
      expect(taken).toBe(10)
      const after = await member.balance()
      expect(after.fund).toBe(fundBefore - 50_000 + 8_000)
      expect(after.available + after.held).toBe(50_000 - 8_000 + 50_000)
    }
    expect(await inconsistencies()).toEqual([])
  })

  it('two processes that roll the same day credit it once', async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => createFundMember(venue)))
    for (const member of members) await member.deposit('1000.00')
    const { clock, market, secrets } = venue
    const second = await withVenue({ database: postgres.database(), ...settings, clock, market, secrets })
    // Without timers: the days are rolled by the two runs below, and by requests between them.
    clock.leap(4 * dayMs + 2 * hourMs)
    const today = venue.business.today()
    await Promise.all([
      venue.fund.job.run(today),
      second.fund.job.run(today),
      ...members.map((member) => member.withdraw('1.00', 'standard')),
    ])
    for (const member of members) {
      const { totalEarnings } = await member.view()
      expect(Number(totalEarnings)).toBeGreaterThan(0)
      const ledger = await venue.db.execute<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM posting WHERE member_id = ${member.id} AND type = 'fund_earning'`,
      )
      const earned = await venue.db.execute<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM fund_earning WHERE member_id = ${member.id}`,
      )
      expect(ledger.rows).toEqual(earned.rows)
    }
    expect(await inconsistencies()).toEqual([])
  })
})
