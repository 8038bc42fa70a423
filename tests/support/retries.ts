import { isDeepStrictEqual } from 'node:util'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import type { Database } from '../../server/db/open.ts'
import type { Guest, Reply } from './house.ts'
import { openMoneyHouse, transactionPassword } from './moneyHouse.ts'
import type { MoneyHouse } from './moneyHouse.ts'
import { intent, quote } from './orders.ts'
import { seededRandom } from './random.ts'

export type RetryPlan = {
  keys: number
  /** Calls in all, over all keys. */
  calls: number
  /** The share of calls that come with another amount under the same key. */
  altered: number
  seed: number
}
export type RetryFigures = { effects: number; replayed: number; mismatched: number; broken: string[] }

type Kind = 'orders' | 'deposits' | 'withdrawals' | 'fund'
type Sending = { key: string; kind: Kind; cents: number; member: number; reply?: Reply | undefined }

const memberCount = 10
const atOnce = 40
const paths: Record<Kind, string> = {
  orders: '/orders',
  deposits: '/deposits',
  withdrawals: '/withdrawals',
  fund: '/fund/deposits',
}

/**
 * Sends each of many keys again and again, in random order, dozens at a time, some with another body, through two
 * processes where the database serves two. Of each key exactly one effect and one answer may come.
 */
export async function retryKeys(database: Database, plan: RetryPlan): Promise<RetryFigures> {
  const fund = { depositsPerDay: 1000 }
  const first = await openMoneyHouse(database, { fund })
  const { clock, market, secret, uploadKey } = first
  const shared = { fund, uploadKey, house: { clock, market, secret } }
  const houses = database.kind === 'postgres' ? [first, await openMoneyHouse(database, shared)] : [first]
  await clock.advance(1)
  quote(first)
  for (const house of houses) await house.trading.start()
  const members: Guest[][] = []
  for (let i = 0; i < memberCount; i++) {
    const { id, sid, token } = await first.enrol(minor(90_000_000))
    members.push(houses.map((house) => house.guest(id, sid, token)))
  }
  const sendings = shuffled(plan)
  const bodies = bodyOf(first)
  for (let from = 0; from < sendings.length; from += atOnce) {
    const now = sendings.slice(from, from + atOnce).map(async (sending, i) => {
      const processes = members[sending.member] ?? []
      const by = processes[i % processes.length]
      sending.reply = await by?.post(paths[sending.kind], bodies(sending), sending.key)
    })
    await Promise.all(now)
  }
  const figures = await judge(database, sendings)
  for (const house of houses) {
    figures.broken.push(...house.faults.map(String))
    await house.close()
  }
  return figures
}

/** Every key at least once, all in random order. */
function shuffled({ keys, calls, altered, seed }: RetryPlan): Sending[] {
  const dice = seededRandom(seed)
  const kinds: readonly Kind[] = ['orders', 'orders', 'deposits', 'withdrawals', 'fund']
  const intents = Array.from({ length: keys }, (_, i): Sending => ({
    key: dice.uuid(),
    kind: kinds[i % kinds.length] ?? 'orders',
    cents: 1_000 + i,
    member: Math.floor(dice.next() * memberCount),
  }))
  const drawn = Array.from({ length: calls }, (_, i) => {
    const one = intents[i < keys ? i : Math.floor(dice.next() * keys)]
    if (!one) throw new Error('no intent')
    return { ...one, cents: one.cents + (dice.next() < altered ? 1_000_000 : 0), turn: dice.next() }
  })
  return drawn.toSorted((a, b) => a.turn - b.turn)
}

/** The terms of an order are the same however often it is sent. */
function bodyOf(house: MoneyHouse): (sending: Sending) => object {
  const order = intent(house)
  return ({ kind, cents }) => {
    const amount = formatMoney(minor(cents))
    if (kind === 'orders') return { ...order, amount }
    if (kind === 'deposits') return { methodId: 'practice', amount }
    return kind === 'fund' ? { amount } : { amount, transactionPassword }
  }
}

/** The first body of a key gives its effect and its answer to all that equal it; any other is a mismatch. */
async function judge(database: Database, sendings: readonly Sending[]): Promise<RetryFigures> {
  const figures: RetryFigures = { effects: 0, replayed: 0, mismatched: 0, broken: [] }
  const moved: Record<Kind, number> = { orders: 0, deposits: 0, withdrawals: 0, fund: 0 }
  const groups = new Map<string, Sending[]>()
  for (const sending of sendings) groups.set(sending.key, [...(groups.get(sending.key) ?? []), sending])
  for (const [key, group] of groups) {
    const taken = group.filter(({ reply }) => reply?.status === 201)
    const winner = taken[0]
    const wrong = group.filter(({ cents, reply }) =>
      winner !== undefined && cents === winner.cents
        ? reply?.text !== winner.reply?.text
        : reply?.code !== 'IDEMPOTENCY_MISMATCH',
    )
    figures.replayed += taken.filter(({ reply }) => reply?.replayed).length
    figures.mismatched += group.filter(({ reply }) => reply?.code === 'IDEMPOTENCY_MISMATCH').length
    if (winner) moved[winner.kind] += winner.cents
    for (const { kind, reply } of wrong)
      figures.broken.push(`${kind} ${key}: ${reply?.status} ${reply?.text}`)
  }
  const { rows } = await database.pool.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM idempotency WHERE status = 201) AS answers,
       (SELECT count(*)::int FROM posting WHERE type <> 'grant') AS effects,
       coalesce(sum(stakes), 0)::bigint AS orders, coalesce(sum(held), 0)::bigint AS withdrawals,
       coalesce(sum(fund), 0)::bigint AS fund,
       (SELECT coalesce(sum(amount), 0)::bigint FROM deposit) AS deposits FROM balance`,
  )
  const { answers, effects, ...found } = rows[0] ?? {}
  figures.effects = effects ?? 0
  if (answers !== effects) figures.broken.push(`${answers} answers for ${effects} effects`)
  if (!isDeepStrictEqual(found, moved)) {
    figures.broken.push(`${JSON.stringify(found)} was moved and not ${JSON.stringify(moved)}`)
  }
  return figures
}
