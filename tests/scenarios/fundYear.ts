import { deepStrictEqual } from 'node:assert'
import { inspect } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { minor } from '../../contract/units.ts'
import { formatMoney } from '../../contract/money.ts'
import { dayMs, hourMs, minuteMs } from '../../contract/time.ts'
import type { Database } from '../../server/platform/db/open.ts'
import { fundAccount } from '../../server/money/schema.ts'
import { fundConfig } from '../../server/money/fund/fundConfig.ts'
import { createFundMember } from '../support/fundMember.ts'
import { seededRandom } from '../support/random.ts'
import { openTestVenue } from '../support/testVenue.ts'
import { fundOracle } from './fundOracle.ts'

/** Shanghai is eight hours ahead all year round. */
const zoneMs = 8 * hourMs
const startDay = Date.UTC(2026, 0, 5) / dayMs
const rates = ['0.4812', '0.5190', '0.0001', '1.2345', '0.4999']
const openingBalance = 250_000_000
/** The fund's holidays in that year. */
export const nonTradingDays = [
  '2026-02-16',
  '2026-02-17',
  '2026-02-18',
  '2026-02-19',
  '2026-02-20',
  '2026-05-01',
  '2026-10-01',
]

/**
 * Simulates one member's year of transfers, weekends, holidays and pauses of the venue on an empty database, and
 * compares it with the oracle after every day and every request. Throws at the first difference, with the seed.
 * @param length in days; a shorter run begins with the same days
 */
export async function runFundYear(database: Database, seed: number, length = 365) {
  const random = seededRandom(seed)
  const totals = { days: 0, calls: 0, earned: '' }
  const assertEqual = (actual: unknown, expected: unknown): void =>
    deepStrictEqual(
      actual,
      expected,
      `seed ${seed}, day ${totals.days}, call ${totals.calls}:\n${inspect(actual)} is not ${inspect(expected)}`,
    )
  const randomBelow = (below: number): number => Math.floor(random.next() * below)
  const venue = await openTestVenue(database, {
    operatorConfig: { fund: z.parse(fundConfig, { practicePer10k: rates }), holidays: nonTradingDays },
    seed,
  })
  const { clock } = venue
  const member = await createFundMember(venue, minor(openingBalance))
  const oracle = fundOracle({
    day: startDay,
    available: BigInt(openingBalance),
    holidays: new Set(nonTradingDays.map((day) => Date.parse(day) / dayMs)),
    per10k: (day) => BigInt((rates[day % rates.length] ?? '').replace('.', '')),
  })
  const midnightOf = (day: number): number => day * dayMs - zoneMs
  const jumpTo = (instant: number): Promise<void> => clock.jumpBy(Math.max(0, instant - clock.now()))

  const transact = async (): Promise<void> => {
    totals.calls += 1
    const cents = [1, 99, 100 + randomBelow(5_000), randomBelow(3_000_000) + 100][randomBelow(4)] ?? 100
    const amount = formatMoney(minor(cents))
    const minuteOfDay = Math.floor((clock.now() + zoneMs) / minuteMs) % 1440
    if (randomBelow(2) === 0) {
      const at = Math.max(100, cents)
      const expected = oracle.deposit(BigInt(at), minuteOfDay)
      assertEqual((await member.deposit(formatMoney(minor(at)))).code ?? 'ok', expected)
    } else {
      const fast = randomBelow(2) === 0
      const expected = oracle.withdraw(BigInt(cents), fast)
      assertEqual((await member.withdraw(amount, fast ? 'fast' : 'standard')).code ?? 'ok', expected)
    }
  }
  const compareWithOracle = async (): Promise<void> => {
    const [view, balance] = [await member.view(), await member.balance()]
    const [account] = await venue.db.select().from(fundAccount).where(eq(fundAccount.memberId, member.id))
    const { state } = oracle
    const actual = {
      confirmed: view.confirmed,
      pending: view.pending,
      earned: view.totalEarnings,
      yesterday: view.yesterdayEarnings,
      available: balance.available,
      held: balance.held,
      fund: balance.fund,
      carried: account?.carried ?? 0,
    }
    assertEqual(actual, {
      confirmed: formatMoney(minor(Number(state.confirmed))),
      pending: formatMoney(minor(Number(oracle.pending()))),
      earned: formatMoney(minor(Number(state.earned))),
      yesterday: formatMoney(minor(Number(state.yesterday))),
      available: Number(state.available),
      held: Number(state.held),
      fund: Number(state.confirmed + oracle.pending()),
      carried: Number(state.carried),
    })
  }

  for (let elapsed = 0; elapsed < length;) {
    const acts = randomBelow(8) === 0 ? 3 + randomBelow(6) : randomBelow(2)
    const minutes = Array.from({ length: acts }, () => 600 + randomBelow(800)).sort((a, b) => a - b)
    for (const minute of minutes) {
      clock.leap(Math.max(0, midnightOf(startDay + elapsed) + minute * minuteMs - clock.now()))
      await transact()
    }
    // Sometimes the venue is paused over several midnights.
    const nights = randomBelow(12) === 0 ? 2 + randomBelow(6) : 1
    elapsed += nights
    await jumpTo(midnightOf(startDay + elapsed))
    for (let night = 0; night < nights; night++) oracle.rollDay()
    await compareWithOracle()
    totals.days = elapsed
  }
  assertEqual(venue.reportedErrors, [])
  totals.earned = formatMoney(minor(Number(oracle.state.earned)))

  const { rows } = await venue.db.execute<Record<string, number>>(sql`SELECT
    (SELECT sum(available + held + stakes + fund + house + grants + external)::bigint FROM posting) AS sum,
    (SELECT (-sum(house))::bigint FROM posting) AS paid,
    (SELECT sum(remaining)::bigint FROM fund_lot WHERE status = 'confirmed') AS confirmed,
    (SELECT coalesce(sum(remaining), 0)::bigint FROM fund_lot WHERE status = 'pending_review') AS pending,
    (SELECT coalesce(sum(h.amount), 0)::bigint FROM hold h
      WHERE NOT EXISTS (SELECT FROM hold_resolution r WHERE r.hold_id = h.id)) AS held`)
  assertEqual(rows[0], {
    sum: 0,
    paid: Number(oracle.state.earned),
    confirmed: Number(oracle.state.confirmed),
    pending: Number(oracle.pending()),
    held: Number(oracle.state.held),
  })
  await venue.close()
  return totals
}
