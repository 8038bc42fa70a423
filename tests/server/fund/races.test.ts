import { expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { minor } from '../../../contract/brand.ts'
import { daysMs, hoursMs, openFundVenue } from '../../support/fundVenue.ts'
import { withPostgres } from '../../support/postgres.ts'

const postgres = await withPostgres('fund')

/** Money, shares, lots and holds agree, whatever ran at once. */
async function sums(run: (query: ReturnType<typeof sql>) => Promise<unknown>): Promise<unknown> {
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
    const wrong = async () =>
      (await sums((query) => venue.db.execute(query).then(({ rows }) => rows))) as unknown[]
    return { ...venue, wrong }
  }

  it('a deposit of what is there goes through as often as there is money for it', async () => {
    const venue = await open()
    for (let round = 0; round < 5; round++) {
      const guest = await venue.createMember(minor(50_000))
      const answers = await Promise.all(Array.from({ length: 30 }, () => guest.deposit('50.00')))
      const codes = answers.map(({ status, code }) => code ?? status)
      expect(codes.filter((code) => code === 201)).toHaveLength(10)
      expect(codes.filter((code) => code === 'INSUFFICIENT_BALANCE')).toHaveLength(20)
      expect(await guest.balance()).toMatchObject({ available: 0, fund: 50_000 })
    }
    expect(await venue.wrong()).toEqual([])
    await venue.close()
  })

  it('counts hold when calls come at once', async () => {
    const venue = await openFundVenue(postgres.database())
    const guest = await venue.createMember()
    const answers = await Promise.all(Array.from({ length: 12 }, () => guest.deposit('1.00')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ code }) => code === 'FUND_TIMES_USED')).toHaveLength(7)
    await venue.close()
  })

  it('a share is withdrawn once, in any mix with deposits', async () => {
    const venue = await open()
    for (let round = 0; round < 5; round++) {
      const guest = await venue.createMember(minor(100_000))
      await guest.deposit('500.00')
      await venue.clock.advance(daysMs(3))
      await venue.fund.catchUp(guest.id)
      const share = (await guest.balance()).fund
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          i % 3 === 2 ? guest.deposit('10.00') : guest.withdraw('50.00', i % 3 === 0 ? 'fast' : 'standard'),
        ),
      )
      const taken = answers.filter(({ status }, i) => status === 201 && i % 3 !== 2).length
      expect(taken).toBe(10)
      const after = await guest.balance()
      expect(after.fund).toBe(share - 50_000 + 8_000)
      expect(after.available + after.held).toBe(50_000 - 8_000 + 50_000)
    }
    expect(await venue.wrong()).toEqual([])
    await venue.close()
  })

  it('two processes at the same midnight credit each day once', async () => {
    const venue = await open()
    const guests = await Promise.all(Array.from({ length: 12 }, () => venue.createMember()))
    for (const guest of guests) await guest.deposit('1000.00')
    await venue.clock.advance(daysMs(4) + hoursMs(2))
    const today = venue.business.today()
    const second = await openFundVenue(postgres.database(), {
      fund: { practicePer10k: ['1.0000'], depositsPerDay: 40, withdrawalsPerDay: 40 },
      startAt: venue.clock.now(),
    })
    await Promise.all([
      venue.fund.job.run(today),
      second.fund.job.run(today),
      ...guests.map((guest) => guest.withdraw('1.00', 'standard')),
    ])
    for (const guest of guests) {
      const { totalEarnings } = await guest.view()
      expect(Number(totalEarnings)).toBeGreaterThan(0)
      const ledger = await venue.db.execute<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM posting WHERE member_id = ${guest.id} AND type = 'fund_earning'`,
      )
      const earned = await venue.db.execute<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM fund_earning WHERE member_id = ${guest.id}`,
      )
      expect(ledger.rows).toEqual(earned.rows)
    }
    expect(await venue.wrong()).toEqual([])
    await second.close()
    await venue.close()
  })
})
