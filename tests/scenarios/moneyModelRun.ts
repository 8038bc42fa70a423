import { deepStrictEqual } from 'node:assert'
import { inspect } from 'node:util'
import * as z from 'zod/mini'
import { minor } from '../../contract/units.ts'
import { formatMoney } from '../../contract/money.ts'
import { addDays, dayMs, hourMs } from '../../contract/time.ts'
import type { Database } from '../../server/platform/db/open.ts'
import { fundConfig } from '../../server/money/fund/fundConfig.ts'
import type { MemberClient, Reply } from '../support/apiCalls.ts'
import { testProduct } from '../support/fakeMarket.ts'
import { bankMethod } from '../support/payments.ts'
import { seededRandom } from '../support/random.ts'
import { transactionPassword } from '../support/testMembers.ts'
import { manyRequests } from '../support/requestLimits.ts'
import { openTestVenue, type TestVenue } from '../support/testVenue.ts'
import type { Findings } from './findings.ts'
import { moneyModel, type DepositStep, type MoneyModel } from './moneyModel.ts'
import { withoutBatch } from '../support/withoutBatch.ts'

const rates = ['0.4812', '1.2345', '0.0001', '0.5190']
/** A rate for each day; the model lets weeks pass, not years. */
const per10k = Object.fromEntries(
  Array.from({ length: 1000 }, (_, i) => addDays('2026-01-01', i)).map((on) => [
    on,
    rates[(Date.parse(on) / dayMs) % rates.length] ?? '',
  ]),
)
const openingBalance = 1_000_000
/** Shanghai is eight hours ahead all year round. */
const zoneMs = 8 * hourMs
/** A session expires after a day without use, and the model lets days pass. */
const sessionMs = 12 * hourMs

type ModelRun = {
  venue: TestVenue
  model: MoneyModel
  member: MemberClient
  live: boolean
  randomBelow: (below: number) => number
  chance: (share: number) => boolean
  uuid: () => string
  /** Keyed requests with a stored response, to be repeated. */
  sent: { path: string; body: object | undefined; key: string; reply: Reply }[]
  history: string[]
  /** When the member's session began. */
  sessionStartedAt: number
}

/**
 * Sends random requests to every module that moves money, for one member per seed, and compares everything the member
 * has with a model after each request. In live mode deposits wait for the office and nobody gets practice money; in
 * practice mode they are credited at once. The same seeds on an empty database replay a run.
 * @returns how many comparisons were made, and one violation with its seed for each member that differed
 */
export async function runMoneyModel(
  database: Database,
  seeds: readonly number[],
  commands: number,
  live: boolean,
): Promise<Findings> {
  const venue = await openTestVenue(database, {
    live,
    operatorConfig: { fund: z.parse(fundConfig, { per10k }), requestLimits: manyRequests },
    seed: seeds[0] ?? 0,
  })
  const found: Findings = { tried: 0, violations: [] }
  for (const seed of seeds) {
    const history: string[] = []
    try {
      found.tried += await runSeed(venue, seed, commands, live, history)
    } catch (error) {
      found.violations.push(
        `seed ${seed}, command ${history.length}: ${history.slice(-12).join('; ')}\n${String(error)}`,
      )
    }
  }
  const { rows } = await database.pool.query<{ sum: number; below: number }>(
    `SELECT coalesce(sum(available + held + stakes + fund + house + grants + external), 0)::bigint AS sum,
       (count(*) FILTER (WHERE least(available_after, held_after, stakes_after, fund_after) < 0))::int AS below
     FROM posting`,
  )
  if (rows[0]?.sum !== 0 || rows[0].below !== 0)
    found.violations.push(`seeds ${seeds.join()}: the ledger: ${JSON.stringify(rows[0])}`)
  found.violations.push(
    ...venue.reportedErrors.map((error) => `seeds ${seeds.join()}: the venue reported ${inspect(error)}`),
  )
  await venue.close()
  return found
}

/** Returns how often the member was compared with the model. */
async function runSeed(
  venue: TestVenue,
  seed: number,
  commands: number,
  live: boolean,
  history: string[],
): Promise<number> {
  const random = seededRandom(seed)
  const member = await venue.createVerifiedMember(minor(openingBalance))
  const randomBelow = (below: number): number => Math.floor(random.next() * below)
  const model = moneyModel({
    available: openingBalance,
    now: venue.clock.now(),
    zoneMs,
    per10k: (day) => BigInt((rates[day % rates.length] ?? '').replace('.', '')),
    maxTickGapMs: testProduct.maxTickGapMs,
    entryTimeoutMs: testProduct.entryTimeoutMs,
  })
  model.state.watermark = venue.market.watermark(testProduct.id)
  const run: ModelRun = {
    venue,
    model,
    member,
    live,
    randomBelow,
    history,
    chance: (share) => random.next() < share,
    uuid: () => random.uuid(),
    sent: [],
    sessionStartedAt: venue.clock.now(),
  }
  tick(run)
  await flush(run)
  for (let i = 0; i < commands; i++) {
    await step(run)
    await compareBalances(run)
  }
  // Settle everything, so that nothing of this member affects the next one.
  await advance(run, 61_000)
  tick(run)
  await flush(run)
  await compareBalances(run)
  await compareRecords(run)
  return commands + 2
}

type Command = (run: ModelRun) => Promise<void>
/** Commands and their relative frequencies. */
const weightedCommands: readonly (readonly [share: number, command: Command])[] = [
  [22, order],
  [30, calmMarket],
  [3, quietMarket],
  [1, feedGap],
  [8, deposit],
  [7, decideDeposit],
  [10, withdraw],
  [8, endWithdrawal],
  [8, fundIn],
  [6, fundOut],
  [5, repeatCall],
  [2, reset],
  [2, passHours],
]

async function step(run: ModelRun): Promise<void> {
  let left = run.randomBelow(weightedCommands.reduce((sum, [share]) => sum + share, 0))
  const [, command] = weightedCommands.find(([share]) => (left -= share) < 0) ?? [0, calmMarket]
  await command(run)
}

/** A member's request that moves money; `expected` is its error code, or `ok`. */
async function callAndCompare(
  run: ModelRun,
  path: string,
  body: object | undefined,
  expected: string,
): Promise<Reply<{ id: string }>> {
  const key = run.uuid()
  run.history.push(`${path} ${JSON.stringify(body) ?? ''}: ${expected}`)
  const reply = await run.member.post<{ id: string }>(path, body, key)
  deepStrictEqual(
    reply.status < 300 ? 'ok' : reply.code,
    expected,
    `${path} answered ${reply.text}, not ${expected}`,
  )
  if (reply.status !== 400 && reply.status !== 403) run.sent.push({ path, body, key, reply })
  return reply
}

/** Cents: mostly small, rarely around the whole balance, because a member with nothing can do nothing. */
function randomCents(run: ModelRun, least: number): number {
  if (run.chance(0.06)) return Math.max(least, run.model.available() + run.randomBelow(5) - 2)
  return least + run.randomBelow(run.chance(0.7) ? 5_000 : 100_000)
}
const moneyText = (amount: number): string => formatMoney(minor(amount))

async function order(run: ModelRun): Promise<void> {
  const { venue, model } = run
  const now = venue.clock.now()
  const seconds = run.chance(0.5) ? 30 : 60
  const [least, most, rate] = seconds === 30 ? [100, 99_999_900, 8000] : [500, 500_000, 8500]
  const amount = run.chance(0.05) ? least - 1 : randomCents(run, least)
  const rateBp = run.chance(0.05) ? rate + 1 : rate
  const validUntil = run.chance(0.05) ? now - 1 : now + 10_000
  const direction = run.chance(0.5) ? 'up' : 'down'
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
  const body = {
    productId: testProduct.id,
    direction,
    amount: moneyText(amount),
    seconds,
    rateBp,
    validUntil,
  }
  const { body: placed } = await callAndCompare(run, '/orders', body, code)
  if (code !== 'ok') return
  const closeAt = now + seconds * 1000
  model.order({ id: placed.id, direction, amount, rateBp, acceptedAt: now, closeAt, result: null })
  await venue.trading.idle()
}

/** A calm market: some ticks, everything covered. */
async function calmMarket(run: ModelRun): Promise<void> {
  for (let i = run.randomBelow(4); i >= 0; i--) {
    await advance(run, run.randomBelow(8_000))
    tick(run)
    if (run.chance(0.3)) tick(run)
    await flush(run)
  }
}

/** A covered market without ticks. */
async function quietMarket(run: ModelRun): Promise<void> {
  await advance(run, run.randomBelow(30_000))
  await flush(run)
}

/** The market is away for a while: a gap. */
async function feedGap(run: ModelRun): Promise<void> {
  await advance(run, run.randomBelow(20_000))
  run.history.push('gap')
  run.venue.market.recordGap()
  await run.venue.trading.idle()
  run.model.gap(run.venue.clock.now())
  tick(run)
  await flush(run)
}

async function passHours(run: ModelRun): Promise<void> {
  await advance(run, run.randomBelow(40 * hourMs))
  if (run.chance(0.5)) return feedGap(run)
  tick(run)
  await flush(run)
}

async function deposit(run: ModelRun): Promise<void> {
  const amount = randomCents(run, 100)
  const [least, most] = run.live ? [1_000, 500_000] : [100, 99_999_900]
  const fits = amount >= least && amount <= most
  const body = { methodId: run.live ? bankMethod.id : 'practice', amount: moneyText(amount) }
  const { body: placed } = await callAndCompare(run, '/deposits', body, fits ? 'ok' : 'DEPOSIT_LIMIT')
  if (fits) run.model.deposit(placed.id, amount, !run.live)
}

async function decideDeposit(run: ModelRun): Promise<void> {
  const sample = run.model.deposits[run.randomBelow(Math.max(1, run.model.deposits.length))]
  if (!sample) return
  const { office } = run.venue.deposits
  const steps: Record<DepositStep, () => Promise<unknown>> = {
    approve: () => office.approve(sample.id, 'desk'),
    credit: () => office.credit(sample.id, 'desk'),
    reject: () => office.reject(sample.id, 'no', 'desk'),
    reverse: () => office.reverse(sample.id, 'no', 'desk', async () => undefined),
  }
  const names = Object.keys(steps) as DepositStep[]
  const step = names[run.randomBelow(names.length)] ?? 'approve'
  const expected = run.model.decideDeposit(sample, step)
  run.history.push(`deposit ${step}: ${expected}`)
  const code = await steps[step]().then(
    () => 'ok',
    (error: { code?: string }) => {
      if (error.code === undefined) throw error
      return error.code
    },
  )
  deepStrictEqual(code, expected, `deposit ${step}: ${code}, not ${expected}`)
}

async function withdraw(run: ModelRun): Promise<void> {
  const amount = randomCents(run, 1)
  const code =
    amount > 99_999_900
      ? 'VALIDATION'
      : !run.model.covers(amount)
        ? 'INSUFFICIENT_BALANCE'
        : amount > run.model.withdrawable()
          ? 'AWAITS_SECOND_PERSON'
          : 'ok'
  const { body } = await callAndCompare(
    run,
    '/withdrawals',
    { amount: moneyText(amount), transactionPassword },
    code,
  )
  if (code === 'ok') run.model.withdraw(body.id, amount)
}

/** Cancelled by the member, or paid or rejected by the office; also tries withdrawals that are already decided. */
async function endWithdrawal(run: ModelRun): Promise<void> {
  const sample = run.model.withdrawals[run.randomBelow(Math.max(1, run.model.withdrawals.length))]
  if (!sample) return
  const open = sample.status === 'under_review'
  const how = (['cancel', 'approve', 'reject'] as const)[run.randomBelow(3)]
  const { office } = run.venue.withdrawals
  if (how === 'cancel') {
    await callAndCompare(run, `/withdrawals/${sample.id}/cancel`, undefined, open ? 'ok' : 'NOT_CANCELLABLE')
  } else {
    const decided =
      how === 'approve' ? office.approveAndPay(sample.id, 'desk') : office.reject(sample.id, 'no', 'desk')
    await decide(run, `withdrawal ${how}`, decided, open)
  }
  if (open) run.model.resolveWithdrawal(sample, how === 'approve')
}

async function decide(run: ModelRun, what: string, decided: Promise<unknown>, open: boolean): Promise<void> {
  run.history.push(`${what}${open ? '' : ' again'}`)
  const succeeded = await decided.then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== 'CONFLICT') throw error
      return false
    },
  )
  deepStrictEqual(succeeded, open, `${what}: ${succeeded ? 'decided twice' : 'rejected'}`)
}

async function fundIn(run: ModelRun): Promise<void> {
  const amount = randomCents(run, 100)
  const code = run.model.fundIn(amount, run.venue.clock.now())
  await callAndCompare(run, '/fund/deposits', { amount: moneyText(amount) }, code)
}

async function fundOut(run: ModelRun): Promise<void> {
  const confirmed = Number(run.model.fund.state.confirmed)
  const amount = run.chance(0.5) ? 1 + run.randomBelow(Math.max(1, confirmed)) : randomCents(run, 1)
  const fast = run.chance(0.5)
  const code = run.model.fundOut(amount, fast)
  const body = { amount: moneyText(amount), mode: fast ? 'fast' : 'standard', transactionPassword }
  await callAndCompare(run, '/fund/withdrawals', body, code)
}

const otherAmount = (body: object | undefined): string =>
  body !== undefined && 'amount' in body && body.amount === '1.23' ? '1.24' : '1.23'

/** Repeats a request under its key: the same answer and no effect; with another body it is rejected. */
async function repeatCall(run: ModelRun): Promise<void> {
  const sample = run.sent[run.randomBelow(Math.max(1, run.sent.length))]
  if (!sample) return
  const altered = run.chance(0.3) && sample.body !== undefined
  run.history.push(`${altered ? 'altered' : 'again'} ${sample.path}`)
  const body = altered ? { ...sample.body, amount: otherAmount(sample.body) } : sample.body
  const reply = await run.member.post(sample.path, body, sample.key)
  if (altered) deepStrictEqual(reply.code, 'IDEMPOTENCY_MISMATCH')
  else deepStrictEqual([reply.replayed, withoutBatch(reply.text)], [true, withoutBatch(sample.reply.text)])
}

async function reset(run: ModelRun): Promise<void> {
  if (run.live) return void (await callAndCompare(run, '/practice/reset', undefined, 'PRACTICE_ONLY'))
  const fits = run.model.reset(openingBalance)
  await callAndCompare(run, '/practice/reset', undefined, fits ? 'ok' : 'OPEN_ORDERS')
}

async function advance(run: ModelRun, ms: number): Promise<void> {
  const { venue, model } = run
  const from = venue.clock.now()
  run.history.push(`${ms} ms`)
  // In jumps: nothing that the model counts happens between these instants, but the venue's jobs run every second.
  for (const at of [...model.turningPoints(from, from + ms), from + ms]) {
    await venue.clock.jumpBy(at - venue.clock.now())
    await venue.trading.idle()
  }
  model.advanceTo(venue.clock.now(), from)
  if (venue.clock.now() - run.sessionStartedAt < sessionMs) return
  run.member = await venue.openSession(run.member.id)
  run.sessionStartedAt = venue.clock.now()
}

function tick(run: ModelRun): void {
  const { venue, model } = run
  const price = 10_000 + run.randomBelow(7)
  venue.market.tick(venue.clock.now(), price)
  model.ticks.push({ seq: model.ticks.length + 1, at: venue.clock.now(), price })
}

async function flush(run: ModelRun): Promise<void> {
  run.venue.market.flush()
  await run.venue.trading.idle()
  run.model.flush(run.venue.clock.now())
}

/** Everything the member has, as the venue stores it and as the model counts it. */
async function compareBalances({ venue, model, member, history }: ModelRun): Promise<void> {
  const { rows } = await venue.database.pool.query<Record<string, number>>(
    `SELECT b.available, b.held, b.stakes, b.fund, b.pnl, b.version, p.sum, p.below,
       CASE WHEN b.today_on = $2 THEN b.today_pnl ELSE 0 END AS today,
       coalesce(f.confirmed, 0) AS confirmed, coalesce(f.pending, 0) AS pending, coalesce(f.carried, 0) AS carried,
       (SELECT coalesce(sum(h.amount), 0)::bigint FROM hold h WHERE h.member_id = $1
         AND NOT EXISTS (SELECT FROM hold_resolution r WHERE r.hold_id = h.id)) AS holds
     FROM balance b LEFT JOIN fund_account f USING (member_id),
       (SELECT sum(available + held + stakes + fund + house + grants + external)::bigint AS sum,
         (count(*) FILTER (WHERE available_after < 0))::int AS below FROM posting WHERE member_id = $1) p
     WHERE b.member_id = $1`,
    [member.id, venue.business.today()],
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

/** At the end: the capital record line by line, each order's result, each request's status, and the assets shown. */
async function compareRecords({ venue, model, member }: ModelRun): Promise<void> {
  const { pool } = venue.database
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
  deepStrictEqual(body['available'], moneyText(model.available()))
}
