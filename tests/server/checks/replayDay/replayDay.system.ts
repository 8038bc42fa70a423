import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, businessDay } from '../../../../contract/time.ts'
import { openMemoryDatabase } from '../../../../server/platform/db/memory.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { openDatabase, type Database } from '../../../../server/platform/db/open.ts'
import {
  replayDay,
  replaySnapshot,
  type ReplayOptions,
  type ReplayReport,
} from '../../../../server/checks/replayDay/replayDay.ts'
import type { Secrets } from '../../../../server/platform/secrets.ts'
import { FlushChain } from '../../../../server/checks/nightly/checkedLog.ts'
import { settleAgain } from '../../../../server/checks/nightly/results.ts'
import type { Order } from '../../../../contract/orders.ts'
import { nonTradingDays, runFundYear } from '../../../scenarios/fundYear.ts'
import { resettle } from '../../../scenarios/resettle.ts'
import { averagedProduct } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { openMarket, sha, syntheticProduct } from '../../../support/marketFixtures.ts'
import { placeOrder } from '../../../support/orders.ts'
import { openBusyDay } from '../../../support/busyDay.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTestVenue, zone } from '../../../support/testVenue.ts'
import { nodeFlags } from '../../../support/venueProcess.ts'
import { serverBundle } from '../../../support/serverBundle.ts'

const options: ReplayOptions = { day: null, zone, holidays: new Set(), onProgress: () => undefined }
const postgres = await withPostgres('replay_day')
const equal = { difference: null, cut: 0 }

describe('a busy day', () => {
  let database: Database
  let busy: Awaited<ReturnType<typeof openBusyDay>>
  beforeAll(async () => {
    database = await openMemoryDatabase()
    busy = await openBusyDay(database)
  })
  afterAll(async () => {
    await busy.venue.close()
    await database.close()
  })

  /** The report on rows that were changed as nobody can over the venue. */
  const replayAltered = async (table: string, change: string, where: string): Promise<ReplayReport> => {
    let report: ReplayReport | null = null
    const rolledBack = new Error('rolled back')
    const altering = database.db.transaction(async (tx) => {
      await tx.execute(sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`))
      const { rowCount } = await tx.execute(sql.raw(`UPDATE ${table} SET ${change} WHERE ${where}`))
      expect(rowCount).toBe(1)
      report = await replaySnapshot(tx, options)
      throw rolledBack
    })
    await expect(altering).rejects.toBe(rolledBack)
    if (report === null) throw new Error('not replayed')
    return report
  }
  const one = (table: string, where: string): string =>
    `ctid = (SELECT ctid FROM ${table} WHERE ${where} ORDER BY ctid LIMIT 1)`

  it('is reproduced, twice with the same digest', async () => {
    const report = await replayDay(database.db, options)
    expect(report).toMatchObject(equal)
    const { rows } = report
    expect(rows).toMatchObject({ orders: 3, answers: 3 })
    expect(rows.postings).toBeGreaterThan(15)
    expect(rows.fund).toBeGreaterThan(8)
    expect(await replayDay(database.db, options)).toEqual(report)
  })

  it('settles the orders of one day again if asked', async () => {
    const day = businessDay(busy.settled[0]?.acceptedAt ?? 0, zone)
    expect((await replayDay(database.db, { ...options, day })).rows.orders).toBe(3)
    const report = await replayDay(database.db, { ...options, day: '2026-01-02' })
    expect(report).toMatchObject({ ...equal, rows: { orders: 0 } })
  })

  it.each([
    [
      'a result',
      'orders',
      'entry_price = entry_price - 1000000, exit_price = exit_price - 1000000',
      one('orders', "status IN ('won', 'lost', 'tied')"),
      /^orders: order \S+: entryPrice, exitPrice differ$/,
    ],
    [
      'the time of an order',
      'orders',
      'accepted_at = accepted_at - 1, close_at = close_at - 1',
      one('orders', "status <> 'refunded'"),
      /^idempotency: answer to order \S+: acceptedAt, closeAt differ$/,
    ],
    [
      'the amount of a posting',
      'posting',
      'available = available + 5, house = house - 5',
      one('posting', "type = 'stake'"),
      /^posting: posting \d+ of member .*: available, house differ$/,
    ],
    [
      'the amount of a deposit',
      'deposit',
      'amount = amount + 1',
      one('deposit', 'true'),
      /^posting: posting \d+ of member .*: amount, available, external, availableAfter differ$/,
    ],
    [
      'a balance',
      'balance',
      'available = available + 1',
      one('balance', 'fund > 0'),
      /^balance: member .*: available differs$/,
    ],
    [
      'the result of a day',
      'balance',
      'today_pnl = today_pnl + 1',
      one('balance', 'fund > 0'),
      /^balance: member .*: todayPnl differs$/,
    ],
    [
      'an earning',
      'fund_earning',
      'amount = amount + 1',
      one('fund_earning', 'amount > 0'),
      /^fund_earning: 2026-01-\d+ of member .*: amount differs$/,
    ],
    [
      'a rate of the fund',
      'fund_rate',
      'per10k = per10k + 1',
      one('fund_rate', 'on_day IN (SELECT on_day FROM fund_earning)'),
      /^fund_earning: 2026-01-\d+ of member .*: per10k, carried differ$|: amount, per10k/,
    ],
    [
      'the account of the fund',
      'fund_account',
      'carried = carried + 1',
      one('fund_account', 'true'),
      /^fund_account: member .*: carried differs$/,
    ],
    [
      'what is left of a lot',
      'fund_lot',
      'remaining = remaining - 1',
      one('fund_lot', 'remaining > 0'),
      /^fund_lot: lot .* of member .*: remaining differs$/,
    ],
    [
      'when a transfer of the fund counts',
      'fund_record',
      "on_day = '2026-01-30'",
      one('fund_record', "kind = 'deposit'"),
      /^fund_record: deposit .* of member .*: onDay differs$/,
    ],
    [
      'how a hold ended',
      'hold_resolution',
      "outcome = 'voided'",
      one('hold_resolution', "outcome = 'posted'"),
      /^hold: .*: outcome differs$/,
    ],
    [
      'how refunded orders stood',
      'refund_tally',
      'pnl = pnl + 1',
      'true',
      /^refund_tally: FAST gap \d+: pnl differs$/,
    ],
    [
      'how orders ended',
      'outcome_tally',
      'won = won + 1, lost = lost - 1',
      'lost > 0',
      /^outcome_tally: \w+ \d+: won, lost differ$/,
    ],
    [
      'a tick',
      'tick_chunk',
      'data = set_byte(data, 60, get_byte(data, 60) # 8)',
      one('tick_chunk', 'true'),
      /^the tick log is damaged at FAST:\d+.*cannot be read$/,
    ],
    [
      'the hash after ticks',
      'tick_chunk',
      'hash_after = set_byte(hash_after, 3, get_byte(hash_after, 3) # 8)',
      one('tick_chunk', 'true'),
      /^the tick log is damaged at FAST:\d+.*its hash differs/,
    ],
  ])('names %s that was altered', async (_, table, change, where, message) => {
    const { difference } = await replayAltered(table, change, where)
    expect(difference?.message).toMatch(message)
  })

  it('names a posting that no command gives, and one that is missing', async () => {
    const foreign = await replayAltered('posting', "ref_id = 'nobody'", one('posting', "type = 'deposit'"))
    expect(foreign.difference).toMatchObject({ replay: null })
    expect(foreign.difference?.message).toMatch(/^posting: .*nothing that the venue recorded gives this row$/)
    const missing = await replayAltered('deposit', "status = 'failed', reason = 'x'", 'reversed IS NULL')
    expect(missing.difference).toMatchObject({ replay: null })
  })

  it('names the answer that a member got if another order was stored', async () => {
    const body = `replace(body, '"direction":"up"', '"direction":"down"')`
    const where = one('idempotency', `body LIKE '{%"direction":"up"%'`)
    const { difference } = await replayAltered('idempotency', `body = ${body}`, where)
    expect(difference?.message).toMatch(/^idempotency: answer to order \S+: direction differs$/)
  })
})

it('a fund of six weeks with weekends, holidays and pauses is reproduced', async () => {
  const database = await withDatabase()
  await runFundYear(database, 7, 45)
  const report = await replayDay(database.db, { ...options, holidays: new Set(nonTradingDays) })
  expect(report).toMatchObject(equal)
  expect(report.rows.fund).toBeGreaterThan(40)
  const holidays = new Set(Array.from({ length: 40 }, (_, i) => addDays('2026-01-07', i)))
  const { difference } = await replayDay(database.db, { ...options, holidays })
  expect(difference?.message).toMatch(/^fund_record: .*onDay/)
})

it('orders over restarts of the venue are reproduced', async () => {
  const database = await withDatabase()
  await resettle(database, 60, 11, { everyMs: 500 })
  const report = await replayDay(database.db, options)
  expect(report).toMatchObject({ ...equal, rows: { orders: 60, answers: 60 } })
})

it('an order whose source changed soon after its acceptance is settled again with the window from before it', async () => {
  const database = await withDatabase()
  const clock = manualClock()
  const open = async (feedSeed: number, seed: number, secrets?: Secrets) => {
    const product = syntheticProduct('FAST', 10, feedSeed)
    const market = await openMarket(database.db, clock, [
      { ...product, settings: { ...product.settings, settlement: averagedProduct.settlement } },
    ])
    return openTestVenue(database, { clock, market, seed, ...(secrets && { secrets }) })
  }
  let venue = await open(1, 1)
  await clock.advance(20_000)
  const member = await venue.createMember()
  const order = await placeOrder(venue, member, { productId: 'FAST', seconds: 60 })
  await clock.advance(3000)
  const before = clock.now()
  await venue.close()
  venue = await open(2, 2, venue.secrets)
  await clock.advance(2000)
  await venue.trading.idle()
  const refunded = (await venue.clientOf(member).get<Order>(`/orders/${order.id}`)).body
  expect(refunded).toMatchObject({ reason: 'SOURCE_CHANGED' })
  const chain = new FlushChain(sha)
  const actLog = await settleAgain(
    database.db,
    chain,
    { after: before - 1, until: clock.now(), acceptedFrom: 0 },
    async () => undefined,
  )
  expect(actLog).toEqual({ orders: 1, findings: [] })
  await venue.close()
  expect(await replayDay(database.db, options)).toMatchObject({ ...equal, rows: { orders: 1 } })
})

/** Runs the command; returns its exit code and what it printed. */
async function run(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [...nodeFlags, join(serverBundle(), 'replayDay.js'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
  })
  const [out, errors] = [text(child.stdout), text(child.stderr)]
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: await out, errors: await errors }
}

postgres.describe('the command on PostgreSQL', () => {
  it('reads while the venue runs, and names the row that differs', async () => {
    const database = postgres.database()
    const busy = await openBusyDay(database)
    await busy.place('up')
    const env = { DATABASE_URL: postgres.url(), DATA_DIR: join(tmpdir(), 'uptick-replay-none') }
    const { code, out } = await run(env)
    expect(out).toMatch(
      /^reproduced: \d+ ticks, 3 orders, 4 answers to orders, \d+ postings, \d+ rows of the fund\nSHA-256 of the rows: [0-9a-f]{64}\n$/,
    )
    expect(code).toBe(0)
    await database.pool.query('ALTER TABLE fund_account DISABLE TRIGGER USER')
    await database.pool.query('UPDATE fund_account SET carried = carried + 1')
    const altered = await run(env)
    expect(altered.out).toMatch(
      /^fund_account: .*: carried differs\n {2}venue {3}\{.*\}\n {2}replay {2}\{.*\}\n/,
    )
    expect(altered.code).toBe(1)
    await busy.venue.close()
  })
})

describe('the command on a data folder', () => {
  it('waits for no venue: it says that one is running, and replays the folder of a stopped one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-replay-'))
    const database = await openDatabase({ dataDir })
    await database.migrate()
    const busy = await openBusyDay(database)
    const running = await run({ DATA_DIR: dataDir })
    expect(running.errors).toMatch(/^replay-day: .*\n$/)
    expect(running.code).toBe(2)
    await busy.venue.close()
    await database.close()
    const stopped = await run({ DATA_DIR: dataDir }, '--day', '2026-01-05')
    expect(stopped.out).toMatch(/^reproduced: /)
    expect(stopped.code).toBe(0)
    await rm(dataDir, { recursive: true, force: true })
    expect(await run({ DATA_DIR: dataDir })).toMatchObject({ code: 2, out: '' })
    expect(await run({ DATA_DIR: dataDir }, '--day', '2026-02-30')).toMatchObject({ code: 2, out: '' })
  })
})
