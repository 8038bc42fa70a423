import { isDeepStrictEqual } from 'node:util'
import { minor } from '../../contract/units.ts'
import { formatMoney } from '../../contract/money.ts'
import type { Database } from '../../server/platform/db/open.ts'
import { fundConfig } from '../../server/money/fund/fundConfig.ts'
import { orderRequest, tickOnce } from '../support/orders.ts'
import { seededRandom } from '../support/random.ts'
import type { MemberClient, Reply } from '../support/apiCalls.ts'
import { manyRequests } from '../support/requestLimits.ts'
import { openTestVenue, type TestVenue } from '../support/testVenue.ts'
import { transactionPassword } from '../support/testMembers.ts'
import { withoutBatch } from '../support/withoutBatch.ts'

export type RetryPlan = {
  keys: number
  /** Requests in total, over all keys. */
  calls: number
  /** The share of requests with another amount under the same key. */
  altered: number
  seed: number
}
export type RetryReport = { effects: number; replayed: number; mismatched: number; violations: string[] }

type Kind = 'orders' | 'deposits' | 'withdrawals' | 'fund'
type RetryCall = { key: string; kind: Kind; cents: number; member: number; reply?: Reply | undefined }

const memberCount = 10
const atOnce = 40
const paths: Record<Kind, string> = {
  orders: '/orders',
  deposits: '/deposits',
  withdrawals: '/withdrawals',
  fund: '/fund/deposits',
}

/**
 * Sends each of many keys repeatedly, in random order, dozens at a time, some with another body, and through two processes
 * on PostgreSQL. Each key must have exactly one effect and one answer.
 */
export async function retryKeys(database: Database, plan: RetryPlan): Promise<RetryReport> {
  const operatorConfig = { fund: fundConfig.parse({ depositsPerDay: 1000 }), requestLimits: manyRequests }
  const first = await openTestVenue(database, { operatorConfig, seed: plan.seed })
  const { clock, market, secrets } = first
  const shared = { operatorConfig, clock, market, secrets, seed: plan.seed + 1 }
  const venues = database.kind === 'postgres' ? [first, await openTestVenue(database, shared)] : [first]
  await clock.advance(1)
  tickOnce(first)
  const members: MemberClient[][] = []
  for (let i = 0; i < memberCount; i++) {
    const member = await first.createVerifiedMember(minor(90_000_000))
    members.push(venues.map((venue) => venue.clientOf(member)))
  }
  const calls = shuffled(plan)
  const bodies = bodyOf(first)
  for (let from = 0; from < calls.length; from += atOnce) {
    const now = calls.slice(from, from + atOnce).map(async (call, i) => {
      const processes = members[call.member] ?? []
      const client = processes[i % processes.length]
      call.reply = await client?.post(paths[call.kind], bodies(call), call.key)
    })
    await Promise.all(now)
  }
  const report = await checkReplies(database, calls, plan.seed)
  for (const venue of venues) {
    report.violations.push(...venue.reportedErrors.map((error) => `seed ${plan.seed}: ${String(error)}`))
    await venue.close()
  }
  return report
}

/** All requests in random order; every key occurs at least once. */
function shuffled({ keys, calls, altered, seed }: RetryPlan): RetryCall[] {
  const random = seededRandom(seed)
  const kinds: readonly Kind[] = ['orders', 'orders', 'deposits', 'withdrawals', 'fund']
  const requests = Array.from({ length: keys }, (_, i): RetryCall => ({
    key: random.uuid(),
    kind: kinds[i % kinds.length] ?? 'orders',
    cents: 1_000 + i,
    member: Math.floor(random.next() * memberCount),
  }))
  const attempts = Array.from({ length: calls }, (_, i) => {
    const request = requests[i < keys ? i : Math.floor(random.next() * keys)]
    if (!request) throw new Error('no request')
    return {
      ...request,
      cents: request.cents + (random.next() < altered ? 1_000_000 : 0),
      turn: random.next(),
    }
  })
  return attempts.toSorted((a, b) => a.turn - b.turn)
}

/** Bodies of requests; a repeated order has the same terms each time. */
function bodyOf(venue: TestVenue): (call: RetryCall) => object {
  const order = orderRequest(venue)
  return ({ kind, cents }) => {
    const amount = formatMoney(minor(cents))
    if (kind === 'orders') return { ...order, amount }
    if (kind === 'deposits') return { methodId: 'practice', amount }
    return kind === 'fund' ? { amount } : { amount, transactionPassword }
  }
}

/** The accepted body of a key has its effect; equal bodies get the same answer, and any other body is a mismatch. */
async function checkReplies(
  database: Database,
  calls: readonly RetryCall[],
  seed: number,
): Promise<RetryReport> {
  const report: RetryReport = { effects: 0, replayed: 0, mismatched: 0, violations: [] }
  const moved: Record<Kind, number> = { orders: 0, deposits: 0, withdrawals: 0, fund: 0 }
  const groups = new Map<string, RetryCall[]>()
  for (const call of calls) groups.set(call.key, [...(groups.get(call.key) ?? []), call])
  for (const [key, group] of groups) {
    const accepted = group.filter(({ reply }) => reply?.status === 201)
    const winner = accepted[0]
    const wrong = group.filter(({ cents, reply }) =>
      winner !== undefined && cents === winner.cents
        ? withoutBatch(reply?.text ?? '{}') !== withoutBatch(winner.reply?.text ?? '{}')
        : reply?.code !== 'IDEMPOTENCY_MISMATCH',
    )
    report.replayed += accepted.filter(({ reply }) => reply?.replayed).length
    report.mismatched += group.filter(({ reply }) => reply?.code === 'IDEMPOTENCY_MISMATCH').length
    if (winner) moved[winner.kind] += winner.cents
    for (const { kind, reply } of wrong)
      report.violations.push(`seed ${seed}: ${kind} ${key}: ${reply?.status} ${reply?.text}`)
  }
  const { rows } = await database.pool.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM idempotency WHERE status = 201) AS answers,
       (SELECT count(*)::int FROM posting WHERE type <> 'grant') AS effects,
       coalesce(sum(stakes), 0)::bigint AS orders, coalesce(sum(held), 0)::bigint AS withdrawals,
       coalesce(sum(fund), 0)::bigint AS fund,
       (SELECT coalesce(sum(amount), 0)::bigint FROM deposit) AS deposits FROM balance`,
  )
  const { answers, effects, ...actual } = rows[0] ?? {}
  report.effects = effects ?? 0
  if (answers !== effects) report.violations.push(`seed ${seed}: ${answers} answers for ${effects} effects`)
  if (!isDeepStrictEqual(actual, moved)) {
    report.violations.push(`seed ${seed}: ${JSON.stringify(actual)} was moved, not ${JSON.stringify(moved)}`)
  }
  return report
}
