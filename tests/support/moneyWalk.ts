import { deepStrictEqual } from 'node:assert'
import { inspect } from 'node:util'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import type { Database } from '../../server/db/open.ts'
import type { Guest, Reply } from './house.ts'
import { testProduct } from './market.ts'
import { openMoneyHouse, transactionPassword } from './moneyHouse.ts'
import type { MoneyHouse } from './moneyHouse.ts'
import { moneyModel } from './moneyModel.ts'
import type { MoneyModel } from './moneyModel.ts'
import { seededRandom } from './random.ts'

const rates = ['0.4812', '1.2345', '0.0001', '0.5190']
const opening = 1_000_000
/** Shanghai is eight hours ahead all year round. */
const zoneMs = 8 * 3_600_000
const hourMs = 3_600_000
/** A session ends when nobody used it for a day; these members come back after days. */
const sessionMs = 12 * hourMs

type Walk = {
  house: MoneyHouse
  model: MoneyModel
  member: Guest
  reviewed: boolean
  pick: (below: number) => number
  chance: (share: number) => boolean
  uuid: () => string
  /** Keyed calls that left an answer, to be sent again. */
  sent: { path: string; body: object | undefined; key: string; reply: Reply }[]
  history: string[]
  /** When the member's session began. */
  since: number
}

/**
 * Walks members of one venue, one after the other, through random calls of every room that moves money, and compares
 * everything they have with a model after each. `reviewed`: deposits wait for the desk.
 * @returns the walks that went wrong, each naming its seed; the same seeds on an empty database replay them
 */
export async function walkMoney(
  database: Database,
  seeds: readonly number[],
  commands: number,
  reviewed: boolean,
): Promise<string[]> {
  const house = await openMoneyHouse(database, { reviewed, fund: { practicePer10k: rates } })
  const broken: string[] = []
  await house.clock.advance(1)
  await house.trading.start()
  await house.jobs.start()
  for (const seed of seeds) {
    const history: string[] = []
    try {
      await walk(house, seed, commands, reviewed, history)
    } catch (error) {
      broken.push(
        `seed ${seed}, command ${history.length}: ${history.slice(-12).join('; ')}\n${String(error)}`,
      )
    }
  }
  const { rows } = await database.pool.query<{ sum: number; below: number }>(
    `SELECT coalesce(sum(available + held + stakes + fund + house + grants + external), 0)::bigint AS sum,
       (count(*) FILTER (WHERE least(available_after, held_after, stakes_after, fund_after) < 0))::int AS below
     FROM posting`,
  )
  if (rows[0]?.sum !== 0 || rows[0].below !== 0) broken.push(`the books: ${JSON.stringify(rows[0])}`)
  broken.push(...house.faults.map((fault) => `the venue reported ${inspect(fault)}`))
  await house.close()
  return broken
}

async function walk(
  house: MoneyHouse,
  seed: number,
  commands: number,
  reviewed: boolean,
  history: string[],
): Promise<void> {
  const dice = seededRandom(seed)
  const member = await house.enrol(minor(opening))
  const pick = (below: number): number => Math.floor(dice.next() * below)
  const model = moneyModel({
    available: opening,
    now: house.clock.now(),
    zoneMs,
    per10k: (day) => BigInt((rates[day % rates.length] ?? '').replace('.', '')),
    maxTickGapMs: testProduct.maxTickGapMs,
    entryTimeoutMs: testProduct.entryTimeoutMs,
  })
  model.state.watermark = house.market.watermark(testProduct.id)
  const on: Walk = {
    house,
    model,
    member,
    reviewed,
    pick,
    history,
    chance: (share) => dice.next() < share,
    uuid: () => dice.uuid(),
    sent: [],
    since: house.clock.now(),
  }
  tick(on)
  await flush(on)
  for (let i = 0; i < commands; i++) {
    await step(on)
    await agree(on)
  }
  // Nothing of this member is left to the next one's walk.
  await pass(on, 61_000)
  tick(on)
  await flush(on)
  await agree(on)
  await agreeOnRecord(on)
}

type Command = (on: Walk) => Promise<void>
/** Commands and how often each comes, beside the others. */
const turns: readonly (readonly [share: number, command: Command])[] = [
  [22, order],
  [30, calm],
  [3, quiet],
  [1, away],
  [8, deposit],
  [5, decideDeposit],
  [10, withdraw],
  [8, endWithdrawal],
  [8, fundIn],
  [6, fundOut],
  [5, again],
  [2, reset],
  [2, hours],
]

async function step(on: Walk): Promise<void> {
  let left = on.pick(turns.reduce((sum, [share]) => sum + share, 0))
  const [, command] = turns.find(([share]) => (left -= share) < 0) ?? [0, calm]
  await command(on)
}

/** A call of the member's that moves money; `expected` is the code of its refusal, or `ok`. */
async function pay(
  on: Walk,
  path: string,
  body: object | undefined,
  expected: string,
): Promise<Reply<{ id: string }>> {
  const key = on.uuid()
  on.history.push(`${path} ${JSON.stringify(body) ?? ''}: ${expected}`)
  const reply = await on.member.post<{ id: string }>(path, body, key)
  deepStrictEqual(
    reply.status < 300 ? 'ok' : reply.code,
    expected,
    `${path} answered ${reply.text}, not ${expected}`,
  )
  if (reply.status !== 400) on.sent.push({ path, body, key, reply })
  return reply
}

/** Cents, mostly small, and seldom nearly or more than everything there is: who has nothing can do nothing. */
function cents(on: Walk, least: number): number {
  if (on.chance(0.06)) return Math.max(least, on.model.available() + on.pick(5) - 2)
  return least + on.pick(on.chance(0.7) ? 5_000 : 100_000)
}
const text = (amount: number): string => formatMoney(minor(amount))

async function order(on: Walk): Promise<void> {
  const { house, model } = on
  const now = house.clock.now()
  const seconds = on.chance(0.5) ? 30 : 60
  const [least, most, rate] = seconds === 30 ? [100, 99_999_900, 8000] : [500, 500_000, 8500]
  const amount = on.chance(0.05) ? least - 1 : cents(on, least)
  const rateBp = on.chance(0.05) ? rate + 1 : rate
  const validUntil = on.chance(0.05) ? now - 1 : now + 10_000
  const direction = on.chance(0.5) ? 'up' : 'down'
  const stale = now - (model.ticks.at(-1)?.at ?? 0) > testProduct.maxTickGapMs
  const code = stale
    ? 'FEED_STALE'
    : validUntil < now
      ? 'INTENT_EXPIRED'
      : rateBp !== rate
        ? 'RATE_CHANGED'
        : amount < least || amount > most
          ? 'VALIDATION'
          : model.covers(amount)
            ? 'ok'
            : 'INSUFFICIENT_BALANCE'
  const body = { productId: testProduct.id, direction, amount: text(amount), seconds, rateBp, validUntil }
  const { body: placed } = await pay(on, '/orders', body, code)
  if (code !== 'ok') return
  const closeAt = now + seconds * 1000
  model.order({ id: placed.id, direction, amount, rateBp, acceptedAt: now, closeAt, result: null })
  await house.trading.idle()
}

/** Time as a calm market passes it: a tick now and then, everything covered. */
async function calm(on: Walk): Promise<void> {
  for (let i = on.pick(4); i >= 0; i--) {
    await pass(on, on.pick(8_000))
    tick(on)
    if (on.chance(0.3)) tick(on)
    await flush(on)
  }
}

/** The market is covered, and says nothing. */
async function quiet(on: Walk): Promise<void> {
  await pass(on, on.pick(30_000))
  await flush(on)
}

/** The market is gone for a while: a gap. */
async function away(on: Walk): Promise<void> {
  await pass(on, on.pick(20_000))
  on.history.push('gap')
  on.house.market.resume()
  await on.house.trading.idle()
  on.model.gap(on.house.clock.now())
  tick(on)
  await flush(on)
}

async function hours(on: Walk): Promise<void> {
  await pass(on, on.pick(40 * hourMs))
  if (on.chance(0.5)) return away(on)
  tick(on)
  await flush(on)
}

async function deposit(on: Walk): Promise<void> {
  const amount = cents(on, 100)
  const [least, most] = on.reviewed ? [1_000, 500_000] : [100, 99_999_900]
  const fits = amount >= least && amount <= most
  const body = { methodId: on.reviewed ? 'bank-1' : 'practice', amount: text(amount) }
  const { body: placed } = await pay(on, '/deposits', body, fits ? 'ok' : 'DEPOSIT_LIMIT')
  if (fits) on.model.deposit(placed.id, amount, !on.reviewed)
}

async function decideDeposit(on: Walk): Promise<void> {
  const one = on.model.deposits[on.pick(Math.max(1, on.model.deposits.length))]
  if (!one) return
  const approved = on.chance(0.6)
  const { desk } = on.house.wallet.deposits
  const decided = approved ? desk.approve(one.id, 'desk') : desk.reject(one.id, 'no', 'desk')
  await decide(on, `deposit ${approved ? 'approved' : 'rejected'}`, decided, one.status === 'under_review')
  if (one.status === 'under_review') on.model.decideDeposit(one, approved)
}

async function withdraw(on: Walk): Promise<void> {
  const amount = cents(on, 1)
  const code = amount > 99_999_900 ? 'VALIDATION' : on.model.covers(amount) ? 'ok' : 'INSUFFICIENT_BALANCE'
  const { body } = await pay(on, '/withdrawals', { amount: text(amount), transactionPassword }, code)
  if (code === 'ok') on.model.withdraw(body.id, amount)
}

/** Cancelled by the member, paid or refused by the desk: also what is decided already. */
async function endWithdrawal(on: Walk): Promise<void> {
  const one = on.model.withdrawals[on.pick(Math.max(1, on.model.withdrawals.length))]
  if (!one) return
  const open = one.status === 'under_review'
  const how = (['cancel', 'approve', 'reject'] as const)[on.pick(3)]
  const { desk } = on.house.wallet.withdrawals
  if (how === 'cancel') {
    await pay(on, `/withdrawals/${one.id}/cancel`, undefined, open ? 'ok' : 'NOT_CANCELLABLE')
  } else {
    const decided = how === 'approve' ? desk.approve(one.id, 'desk') : desk.reject(one.id, 'no', 'desk')
    await decide(on, `withdrawal ${how}`, decided, open)
  }
  if (open) on.model.endWithdrawal(one, how === 'approve')
}

async function decide(on: Walk, what: string, decided: Promise<unknown>, open: boolean): Promise<void> {
  on.history.push(`${what}${open ? '' : ' again'}`)
  const went = await decided.then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== 'CONFLICT') throw error
      return false
    },
  )
  deepStrictEqual(went, open, `${what}: ${went ? 'decided twice' : 'refused'}`)
}

async function fundIn(on: Walk): Promise<void> {
  const amount = cents(on, 100)
  const code = on.model.fundIn(amount, on.house.clock.now())
  await pay(on, '/fund/deposits', { amount: text(amount) }, code)
}

async function fundOut(on: Walk): Promise<void> {
  const confirmed = Number(on.model.fund.state.confirmed)
  const amount = on.chance(0.5) ? 1 + on.pick(Math.max(1, confirmed)) : cents(on, 1)
  const fast = on.chance(0.5)
  const code = on.model.fundOut(amount, fast)
  const body = { amount: text(amount), mode: fast ? 'fast' : 'standard', transactionPassword }
  await pay(on, '/fund/withdrawals', body, code)
}

const otherThan = (body: object | undefined): string =>
  body !== undefined && 'amount' in body && body.amount === '1.23' ? '1.24' : '1.23'

/** A call once more under its key: the same answer and no effect; with another body it is refused. */
async function again(on: Walk): Promise<void> {
  const one = on.sent[on.pick(Math.max(1, on.sent.length))]
  if (!one) return
  const altered = on.chance(0.3) && one.body !== undefined
  on.history.push(`${altered ? 'altered' : 'again'} ${one.path}`)
  const body = altered ? { ...one.body, amount: otherThan(one.body) } : one.body
  const reply = await on.member.post(one.path, body, one.key)
  if (altered) deepStrictEqual(reply.code, 'IDEMPOTENCY_MISMATCH')
  else deepStrictEqual([reply.replayed, reply.text], [true, one.reply.text])
}

async function reset(on: Walk): Promise<void> {
  const fits = on.model.reset(opening)
  await pay(on, '/practice/reset', undefined, fits ? 'ok' : 'OPEN_ORDERS')
}

async function pass(on: Walk, ms: number): Promise<void> {
  const { house, model } = on
  const from = house.clock.now()
  on.history.push(`${ms} ms`)
  await house.clock.advance(ms)
  await house.trading.idle()
  model.passTo(house.clock.now(), from)
  if (house.clock.now() - on.since < sessionMs) return
  const { sid, token } = await house.sessions.open(on.member.id, { device: 'Test', ip: '127.0.0.1' })
  on.member = house.guest(on.member.id, sid, token)
  on.since = house.clock.now()
}

function tick(on: Walk): void {
  const { house, model } = on
  const price = 10_000 + on.pick(7)
  house.market.tick(house.clock.now(), price)
  model.ticks.push({ seq: model.ticks.length + 1, at: house.clock.now(), price })
}

async function flush(on: Walk): Promise<void> {
  on.house.market.flush()
  await on.house.trading.idle()
  on.model.flush(on.house.clock.now())
}

/** Everything the member has, as the venue stores it and as the model counts it. */
async function agree({ house, model, member, history }: Walk): Promise<void> {
  const { rows } = await house.database.pool.query<Record<string, number>>(
    `SELECT b.available, b.held, b.stakes, b.fund, b.pnl, b.version, p.sum, p.below,
       CASE WHEN b.today_on = $2 THEN b.today_pnl ELSE 0 END AS today,
       coalesce(f.confirmed, 0) AS confirmed, coalesce(f.pending, 0) AS pending, coalesce(f.carried, 0) AS carried,
       (SELECT coalesce(sum(h.amount), 0)::bigint FROM hold h WHERE h.member_id = $1
         AND NOT EXISTS (SELECT FROM hold_resolution r WHERE r.hold_id = h.id)) AS holds
     FROM balance b LEFT JOIN fund_account f USING (member_id),
       (SELECT sum(available + held + stakes + fund + house + grants + external)::bigint AS sum,
         (count(*) FILTER (WHERE available_after < 0))::int AS below FROM posting WHERE member_id = $1) p
     WHERE b.member_id = $1`,
    [member.id, house.business.today()],
  )
  const { fund, state } = model
  const expected = {
    available: model.available(),
    held: Number(fund.state.held),
    stakes: state.stakes,
    fund: Number(fund.state.confirmed + fund.pending()),
    pnl: state.pnl,
    version: model.record.length,
    sum: 0,
    below: 0,
    today: state.today,
    confirmed: Number(fund.state.confirmed),
    pending: Number(fund.pending()),
    carried: Number(fund.state.carried),
    holds: Number(fund.state.held),
  }
  deepStrictEqual(
    rows[0],
    expected,
    `after ${history.at(-1)}: ${inspect(rows[0])} is not ${inspect(expected)}`,
  )
}

/** At the end: the capital record line by line, each order's result, each request's status, and what is shown. */
async function agreeOnRecord({ house, model, member }: Walk): Promise<void> {
  const { pool } = house.database
  const line = `type || ' ' || amount || ' ' || available_after`
  const list = async (sql: string): Promise<unknown[]> =>
    (await pool.query<{ line: string }>(sql, [member.id])).rows.map((row) => row.line)
  deepStrictEqual(
    await list(`SELECT ${line} AS line FROM posting WHERE member_id = $1 ORDER BY id`),
    model.record,
  )
  const sorted = (lines: readonly string[]): string[] => lines.toSorted()
  deepStrictEqual(
    await list(
      `SELECT id || ' ' || coalesce(reason, status) AS line FROM orders WHERE member_id = $1 ORDER BY 1`,
    ),
    sorted(model.orders.map(({ id, result }) => `${id} ${result}`)),
  )
  for (const [table, requests] of [
    ['deposit', model.deposits],
    ['withdrawal', model.withdrawals],
  ] as const) {
    deepStrictEqual(
      await list(
        `SELECT id || ' ' || amount || ' ' || status AS line FROM ${table} WHERE member_id = $1 ORDER BY 1`,
      ),
      sorted(requests.map(({ id, amount, status }) => `${id} ${amount} ${status}`)),
    )
  }
  const { body } = await member.get<Record<string, string>>('/me/assets')
  deepStrictEqual(body['available'], text(model.available()))
}
