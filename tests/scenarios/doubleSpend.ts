import { minor } from '../../contract/units.ts'
import type { Database } from '../../server/platform/db/open.ts'
import { fundConfig } from '../../server/money/fund/fundConfig.ts'
import { findings, type Findings } from './findings.ts'
import { orderRequest, tickOnce } from '../support/orders.ts'
import type { MemberClient, Reply } from '../support/apiCalls.ts'
import { openTestVenue, type TestVenue } from '../support/testVenue.ts'
import { manyRequests } from '../support/requestLimits.ts'
import { transactionPassword } from '../support/testMembers.ts'

/** What the parallel requests of 10.00 are: one kind, or all three mixed. */
export const spendKinds = ['orders', 'withdrawals', 'fund', 'mixed'] as const
export type SpendKind = (typeof spendKinds)[number]

const calls = 100
const balance = 500_00
const each = 10_00
const fits = balance / each

/**
 * In each round sends 100 requests of 10.00 at once, through two processes of the venue, for a member who has 500.00.
 * Reports every round in which not exactly 50 succeeded, or in which the ledger is not what they moved.
 */
export async function raceSpends(database: Database, spend: SpendKind, rounds: number): Promise<Findings> {
  const operatorConfig = { fund: fundConfig.parse({ depositsPerDay: 1000 }), requestLimits: manyRequests }
  const first = await openTestVenue(database, { operatorConfig })
  const { clock, market, secrets } = first
  const second = await openTestVenue(database, { operatorConfig, clock, market, secrets })
  const venues = [first, second]
  const { found, expect } = findings()
  await clock.advance(1)
  tickOnce(first)
  for (let round = 1; round <= rounds; round++) {
    const member = await first.createVerifiedMember(minor(balance))
    const clients = venues.map((venue) => venue.clientOf(member))
    const replies = await Promise.all(
      Array.from({ length: calls }, (_, i) => send(first, clients[i % 2] ?? member, kindOf(spend, i))),
    )
    const violation = await checkBalances(first, member, spend, replies)
    expect(violation === null, () => `${spend}, round ${round}: ${violation}`)
  }
  for (const venue of venues) {
    found.violations.push(...venue.reportedErrors.map(String))
    await venue.close()
  }
  return found
}

type SingleKind = Exclude<SpendKind, 'mixed'>
const singleKinds: readonly SingleKind[] = ['orders', 'withdrawals', 'fund']
/** Neighbours go to different processes, so that each kind is sent to both. */
const kindOf = (spend: SpendKind, i: number): SingleKind =>
  spend === 'mixed' ? (singleKinds[i % singleKinds.length] ?? 'orders') : spend

function send(venue: TestVenue, client: MemberClient, kind: SingleKind): Promise<Reply> {
  const amount = '10.00'
  if (kind === 'orders') return client.post('/orders', orderRequest(venue, { amount }))
  if (kind === 'fund') return client.post('/fund/deposits', { amount })
  return client.post('/withdrawals', { amount, transactionPassword })
}

async function checkBalances(
  venue: TestVenue,
  member: MemberClient,
  spend: SpendKind,
  replies: readonly Reply[],
): Promise<string | null> {
  const amountTaken = (kind: SingleKind): number =>
    replies.filter(({ status }, i) => status === 201 && kindOf(spend, i) === kind).length * each
  const succeeded = replies.filter(({ status }) => status === 201).length
  const rejected = replies.filter(({ code }) => code === 'INSUFFICIENT_BALANCE').length
  const { rows } = await venue.database.pool.query<Record<string, number>>(
    `SELECT b.available, b.stakes, b.held, b.fund, b.version, s.sum, s.below,
       (SELECT count(*)::int FROM orders o WHERE o.member_id = b.member_id) AS orders,
       (SELECT count(*)::int FROM withdrawal w WHERE w.member_id = b.member_id) AS withdrawals,
       (SELECT count(*)::int FROM fund_lot l WHERE l.member_id = b.member_id) AS lots
     FROM balance b, (SELECT sum(available + held + stakes + fund + house + grants + external)::bigint AS sum,
       (count(*) FILTER (WHERE available_after < 0))::int AS below FROM posting WHERE member_id = $1) s
     WHERE b.member_id = $1`,
    [member.id],
  )
  const actual = JSON.stringify({ succeeded, rejected, ...rows[0] })
  const expected = JSON.stringify({
    succeeded: fits,
    rejected: calls - fits,
    available: 0,
    stakes: amountTaken('orders'),
    held: amountTaken('withdrawals'),
    fund: amountTaken('fund'),
    version: fits + 1,
    sum: 0,
    below: 0,
    orders: amountTaken('orders') / each,
    withdrawals: amountTaken('withdrawals') / each,
    lots: amountTaken('fund') / each,
  })
  if (actual === expected) return null
  const codes = [...new Set(replies.map(({ status, code }) => code ?? String(status)))].join(', ')
  return `${actual}, not ${expected} (answers: ${codes})`
}
