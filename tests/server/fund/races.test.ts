import { expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { minor } from '../../../contract/brand.ts'
import { daysMs, hoursMs, openFundVenue } from '../../support/fundVenue.ts'
import { withPostgres } from '../../support/postgres.ts'

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
  const open = async () => {
    const venue = await openFundVenue(postgres.database(), {
      fund: { practicePer10k: ['1.0000'], depositsPerDay: 40, withdrawalsPerDay: 40 },
    })
    const inconsistencies = async () =>
      (await findInconsistencies((query) => venue.db.execute(query).then(({ rows }) => rows))) as unknown[]
    return { ...venue, inconsistencies }
  }

  it('concurrent deposits never exceed the balance', async () => {
    const venue = await open()
    for (let round = 0; round < 5; round++) {
      const member = await venue.createMember(minor(50_000))
      const answers = await Promise.all(Array.from({ length: 30 }, () => member.deposit('50.00')))
      const codes = answers.map(({ status, code }) => code ?? status)
      expect(codes.filter((code) => code === 201)).toHaveLength(10)
      expect(codes.filter((code) => code === 'INSUFFICIENT_BALANCE')).toHaveLength(20)
      expect(await member.balance()).toMatchObject({ available: 0, fund: 50_000 })
    }
    expect(await venue.inconsistencies()).toEqual([])
    await venue.close()
  })

  it('concurrent deposits never exceed the daily limit', async () => {
    const venue = await openFundVenue(postgres.database())
    const member = await venue.createMember()
    const answers = await Promise.all(Array.from({ length: 12 }, () => member.deposit('1.00')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ code }) => code === 'FUND_TIMES_USED')).toHaveLength(7)
    await venue.close()
  })

  it('concurrent withdrawals and deposits never withdraw more than the confirmed amount', async () => {
    const venue = await open()
    for (let round = 0; round < 5; round++) {
      const member = await venue.createMember(minor(100_000))
      await member.deposit('500.00')
      await venue.clock.advance(daysMs(3))
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
    expect(await venue.inconsistencies()).toEqual([])
    await venue.close()
  })

  it('two processes that roll the same day credit it once', async () => {
    const venue = await open()
    const members = await Promise.all(Array.from({ length: 12 }, () => venue.createMember()))
    for (const member of members) await member.deposit('1000.00')
    await venue.clock.advance(daysMs(4) + hoursMs(2))
    const today = venue.business.today()
    const second = await openFundVenue(postgres.database(), {
      fund: { practicePer10k: ['1.0000'], depositsPerDay: 40, withdrawalsPerDay: 40 },
      startAt: venue.clock.now(),
    })
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
    expect(await venue.inconsistencies()).toEqual([])
    await second.close()
    await venue.close()
  })
})
