import { minor } from '../../contract/brand.ts'
import type { Database } from '../../server/db/open.ts'
import type { Guest, Reply } from './house.ts'
import { openMoneyHouse, transactionPassword } from './moneyHouse.ts'
import type { MoneyHouse } from './moneyHouse.ts'
import { intent, quote } from './orders.ts'

/** What is asked for 10.00 at once: one kind of it, or all three mixed. */
export const spends = ['orders', 'withdrawals', 'fund', 'mixed'] as const
export type Spend = (typeof spends)[number]

const calls = 100
const balance = 500_00
const each = 10_00
const fits = balance / each

/**
 * Sends 100 calls of 10.00 at once, through two processes of the venue, for a member who has 500.00; as many rounds as
 * asked for. Tells of every round in which not exactly 50 went through, or in which the books are not what they moved.
 */
export async function spendTwice(database: Database, spend: Spend, rounds: number): Promise<string[]> {
  const fund = { depositsPerDay: 1000 }
  const first = await openMoneyHouse(database, { fund })
  const { clock, market, secret, uploadKey } = first
  const second = await openMoneyHouse(database, { fund, uploadKey, house: { clock, market, secret } })
  const houses = [first, second]
  const broken: string[] = []
  await clock.advance(1)
  quote(first)
  for (const house of houses) await house.trading.start()
  for (let round = 1; round <= rounds; round++) {
    const member = await first.enrol(minor(balance))
    const { id, sid, token } = member
    const both = houses.map((house) => house.guest(id, sid, token))
    const replies = await Promise.all(
      Array.from({ length: calls }, (_, i) => ask(first, both[i % 2] ?? member, kindOf(spend, i))),
    )
    const wrong = await judge(first, member, spend, replies)
    if (wrong !== null) broken.push(`${spend}, round ${round}: ${wrong}`)
  }
  for (const house of houses) {
    broken.push(...house.faults.map(String))
    await house.close()
  }
  return broken
}

type Kind = Exclude<Spend, 'mixed'>
const kinds: readonly Kind[] = ['orders', 'withdrawals', 'fund']
/** Neighbours go to different processes, so that each kind is asked of both. */
const kindOf = (spend: Spend, i: number): Kind =>
  spend === 'mixed' ? (kinds[i % kinds.length] ?? 'orders') : spend

function ask(house: MoneyHouse, by: Guest, kind: Kind): Promise<Reply> {
  const amount = '10.00'
  if (kind === 'orders') return by.post('/orders', intent(house, { amount }))
  if (kind === 'fund') return by.post('/fund/deposits', { amount })
  return by.post('/withdrawals', { amount, transactionPassword })
}

async function judge(
  house: MoneyHouse,
  member: Guest,
  spend: Spend,
  replies: readonly Reply[],
): Promise<string | null> {
  const taken = (kind: Kind): number =>
    replies.filter(({ status }, i) => status === 201 && kindOf(spend, i) === kind).length * each
  const went = replies.filter(({ status }) => status === 201).length
  const refused = replies.filter(({ code }) => code === 'INSUFFICIENT_BALANCE').length
  const { rows } = await house.database.pool.query<Record<string, number>>(
    `SELECT b.available, b.stakes, b.held, b.fund, b.version, s.sum, s.below,
       (SELECT count(*)::int FROM orders o WHERE o.member_id = b.member_id) AS orders,
       (SELECT count(*)::int FROM withdrawal w WHERE w.member_id = b.member_id) AS withdrawals,
       (SELECT count(*)::int FROM fund_lot l WHERE l.member_id = b.member_id) AS lots
     FROM balance b, (SELECT sum(available + held + stakes + fund + house + grants + external)::bigint AS sum,
       (count(*) FILTER (WHERE available_after < 0))::int AS below FROM posting WHERE member_id = $1) s
     WHERE b.member_id = $1`,
    [member.id],
  )
  const found = JSON.stringify({ went, refused, ...rows[0] })
  const expected = JSON.stringify({
    went: fits,
    refused: calls - fits,
    available: 0,
    stakes: taken('orders'),
    held: taken('withdrawals'),
    fund: taken('fund'),
    version: fits + 1,
    sum: 0,
    below: 0,
    orders: taken('orders') / each,
    withdrawals: taken('withdrawals') / each,
    lots: taken('fund') / each,
  })
  if (found === expected) return null
  const codes = [...new Set(replies.map(({ status, code }) => code ?? String(status)))].join(', ')
  return `${found} and not ${expected} (answers: ${codes})`
}
