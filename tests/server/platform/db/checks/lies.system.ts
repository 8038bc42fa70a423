import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '../../../../../contract/orders.ts'
import { moneyOf } from '../../../../../contract/money.ts'
import type { Database } from '../../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../../support/withVenue.ts'
import type { MemberClient } from '../../../../support/apiCalls.ts'
import { leadDatabase } from '../../../../support/ledDatabase.ts'
import { manualClock } from '../../../../support/manualClock.ts'
import { openMarket, syntheticProduct } from '../../../../support/marketFixtures.ts'
import { withPostgres } from '../../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../../support/testVenue.ts'

const postgres = await withPostgres('lies')
const memory = await withDatabase()

describe('the embedded database', () => liesTests(() => memory))
postgres.describe('PostgreSQL', () => liesTests(postgres.database))

/** Short, so that few flushes are written until an order closes. */
const seconds = 20
const products = (
  [
    { id: 'FAST', ticks: 8, rule: 'R1' },
    // A full window, and ticks so rare that the newest ones count.
    { id: 'MEAN', ticks: 5, rule: 'R2' },
    { id: 'RARE', ticks: 0.4, rule: 'R2' },
  ] as const
).map(({ id, ticks, rule }, i) => {
  const product = syntheticProduct(id, ticks, 2 * i + 1)
  const averaged = { rule: 'R2', entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }
  const [duration] = product.settings.durations
  return {
    ...product,
    settings: {
      ...product.settings,
      durations: [{ ...duration!, seconds }],
      settlement: rule === 'R1' ? { rule } : { ...averaged, rule },
    },
  }
})

/** Statements that are right in themselves and have nothing behind them, through the owner of the tables. */
function liesTests(database: () => Database): void {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  let venue: TestVenue<Awaited<ReturnType<typeof openMarket>>>
  let member: MemberClient

  // What is refused leaves nothing behind, so that one venue does for all.
  beforeAll(async () => {
    const fence = await leadDatabase(database())
    const market = await openMarket(database().db, clock, products, { fence })
    venue = await openTestVenue(database(), { clock, market, fence })
    await clock.advance(1000)
  })
  beforeEach(async () => {
    member = await venue.createMember(moneyOf('9000.00'))
  })
  afterAll(async () => {
    await venue.close()
    expect(venue.reportedErrors).toEqual([])
  })

  const place = async (direction: 'up' | 'down', productId = 'FAST'): Promise<string> => {
    const { status, body } = await member.post<Order>('/orders', {
      productId,
      direction,
      amount: '500.00',
      seconds,
      rateBp: 8500,
      validUntil: clock.now() + 10_000,
    })
    expect(status).toBe(201)
    return body.id
  }
  const openOrder = async (direction: 'up' | 'down' = 'up'): Promise<string> => {
    const id = await place(direction)
    await clock.advance(500)
    await venue.trading.idle()
    return id
  }
  /** The error of statements that run as one transaction; they must be refused. */
  const refusal = async (...statements: readonly string[]): Promise<string> => {
    const client = await database().pool.connect()
    try {
      await client.query('BEGIN')
      for (const statement of statements) {
        const { rowCount } = await client.query(statement)
        if (rowCount === 0 && !/ON CONFLICT|SAVEPOINT/.test(statement))
          throw new Error(`no row: ${statement}`)
      }
      await client.query('SET CONSTRAINTS ALL IMMEDIATE')
      return 'accepted'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
  const pay = (id: string, payout: string): string => `
    WITH o AS (SELECT * FROM orders WHERE id = '${id}'), b AS (
      UPDATE balance SET available = balance.available + ${payout}, stakes = balance.stakes - o.amount,
        pnl = balance.pnl + ${payout} - o.amount, version = balance.version + 1
      FROM o WHERE balance.member_id = o.member_id RETURNING balance.*)
    INSERT INTO posting (member_id, id, at, type, amount, available, stakes, house, pnl, available_after, held_after,
      stakes_after, fund_after, pnl_after, ref_kind, ref_id)
    SELECT b.member_id, b.version, o.close_at, 'payout', ${payout}, ${payout}, -o.amount, o.amount - ${payout},
      ${payout} - o.amount, b.available, b.held, b.stakes, b.fund, b.pnl, 'order', o.id FROM b, o`
  const post = (
    type: string,
    legs: { amount: number; available: number; external?: number; grants?: number },
  ): string => `
    WITH b AS (UPDATE balance SET available = available + ${legs.available}, version = version + 1
      WHERE member_id = '${member.id}' RETURNING *)
    INSERT INTO posting (member_id, id, at, type, amount, available, external, grants, available_after, held_after,
      stakes_after, fund_after, pnl_after, ref_kind, ref_id)
    SELECT member_id, version, 0, '${type}', ${legs.amount}, ${legs.available}, ${legs.external ?? 0},
      ${legs.grants ?? 0}, available, held, stakes, fund, pnl, '${type}', 'none' FROM b`

  it('settles and pays honest orders', async () => {
    const ids = [
      await place('up'),
      await place('down'),
      await place('up', 'MEAN'),
      await place('down', 'RARE'),
    ]
    await clock.advance(seconds * 1000 + 5000)
    await venue.trading.idle()
    for (const id of ids)
      expect((await member.get<Order>(`/orders/${id}`)).body.status).toMatch(/won|lost|tied/)
    // The nightly check waits until results are a minute old.
    await clock.advance(60_000)
    await venue.nightlyChecks.checkResults()
    expect((await venue.nightlyChecks.found()).results).toMatchObject({ orders: 4, differing: 0 })
  })

  it('refuses a result with an invented tick, and a payout without its result', async () => {
    const id = await openOrder()
    const lost = `UPDATE orders SET status = 'lost', exit_seq = entry_seq + 1, exit_at = close_at,
      exit_price = entry_price - 1, settled_at = close_at, payout = 0, version = version + 1 WHERE id = '${id}'`
    expect(await refusal(lost, pay(id, '0'))).toMatch(/^the log has no such tick: order /)
    expect(await refusal(pay(id, '50000'))).toMatch(/^no order stands behind posting /)
    const refunded = `UPDATE orders SET status = 'refunded', reason = 'FEED_DOWN', settled_at = close_at, payout = amount,
      version = version + 1 WHERE id = '${id}'`
    expect(await refusal(refunded)).toMatch(/^a refund without its reason/)
  })

  it('refuses a mean that the log does not give', async () => {
    const id = await place('up', 'MEAN')
    await clock.advance(5000)
    await venue.trading.idle()
    await clock.advance(seconds * 1000 - 6000)
    const mean = `UPDATE orders SET status = 'lost', exit_from = entry_seq + 100, exit_to = entry_seq + 140, exit_ticks = 25,
      exit_sum = (entry_price - 1) * 25, exit_value = div((entry_price - 1) * 25 * 20 + 25, 50::numeric),
      settled_at = close_at, payout = 0, version = version + 1 WHERE id = '${id}'`
    expect(await refusal(mean)).toMatch(/^the log gives another mean/)
  })

  it('refuses an entry that is no tick, and one at another price', async () => {
    const id = await place('up')
    const open = (
      price: string,
    ): string => `UPDATE orders SET status = 'open', entry_seq = 5, entry_at = accepted_at + 20,
      entry_price = ${price}, version = version + 1 WHERE id = '${id}'`
    expect(await refusal(open('1000'))).toMatch(/^the log has no such tick/)
    const touched = `UPDATE orders SET version = version + 1 WHERE id = '${id}'`
    expect(await refusal(touched, open('1000'))).toMatch(
      /^an accepted order changes by its entry or its result/,
    )
  })

  it('refuses to pay an order twice', async () => {
    const id = await place('up')
    await clock.advance(seconds * 1000 + 2000)
    await venue.trading.idle()
    await place('up')
    expect(await refusal(pay(id, '100'))).toMatch(/^no order stands behind posting /)
  })

  it('refuses to move an order’s money twice in the transaction that writes it, also over a savepoint', async () => {
    await place('up')
    const order = (id: string): string => `INSERT INTO orders
      SELECT (jsonb_populate_record(o, '{"id": "${id}", "no": "${id}", "key": "${id}"}')).*
      FROM orders o WHERE member_id = '${member.id}' AND version = 1 LIMIT 1`
    const stake = (id: string): string => `
      WITH b AS (UPDATE balance SET available = available - 50000, stakes = stakes + 50000, version = version + 1
        WHERE member_id = '${member.id}' RETURNING *)
      INSERT INTO posting (member_id, id, at, type, amount, available, stakes, available_after, held_after, stakes_after,
        fund_after, pnl_after, ref_kind, ref_id)
      SELECT member_id, version, 0, 'stake', -50000, -50000, 50000, available, held, stakes, fund, pnl, 'order', '${id}' FROM b`
    const both = (id: string): string => `WITH o AS (${order(id)}) ${stake(id).replace('WITH b', ', b')}`
    expect(await refusal(both('a'))).toBe('accepted')
    const refused = /^no order stands behind posting /
    expect(await refusal(both('a'), stake('a'))).toMatch(refused)
    expect(await refusal(order('a'))).toMatch(/^an order of member .* without its stake$/)
    expect(await refusal(both('a'), 'SAVEPOINT s', stake('a'))).toMatch(refused)
  })

  it('refuses money that nothing stands behind', async () => {
    const none = /^nothing stands behind posting /
    expect(await refusal(post('deposit', { amount: 100, available: 100, external: -100 }))).toMatch(none)
    expect(await refusal(post('withdrawal_paid', { amount: -100, available: -100, external: 100 }))).toMatch(
      none,
    )
    expect(await refusal(post('grant', { amount: 100, available: 100, grants: -100 }))).toMatch(none)
    expect(await refusal(post('stake', { amount: -100, available: -100, external: 100 }))).toMatch(
      /^no order stands behind posting /,
    )
    const deposit = await member.post<{ id: string }>('/deposits', { methodId: 'practice', amount: '5.00' })
    expect(deposit.status).toBe(201)
    const again = post('deposit', { amount: 500, available: 500, external: -500 }).replace(
      `'deposit', 'none'`,
      `'deposit', '${deposit.body.id}'`,
    )
    expect(await refusal(again)).toMatch(/posting_once/)
  })

  it('refuses a deposit that is decided without its posting', async () => {
    const decided = `INSERT INTO deposit (id, no, member_id, method_id, amount, status, created_at, created_on, decided_at)
      VALUES ('d', 'd', '${member.id}', 'practice', 500, 'successful', 1, '2026-01-01', 1)`
    expect(await refusal(decided)).toMatch(/^a deposit is decided with its posting/)
    const live = `UPDATE setting SET value = '"live"' WHERE key = 'mode'`
    expect(await refusal(live)).toMatch(/^the setting mode never changes/)
    const unguarded = 'ALTER TABLE setting DISABLE TRIGGER setting_guard'
    expect(await refusal(unguarded, live, decided)).toMatch(/^a deposit begins under review/)
  })

  it('refuses a gap over covered time', async () => {
    const gap = (from: number, to: number): string => `INSERT INTO feed_gap
      SELECT 1, (SELECT max(at) FROM tick_batch) + ${from}, (SELECT max(at) FROM tick_batch) + ${to}`
    const refused = /^a gap lies between what two flushes cover/
    expect(await refusal(gap(-20_000, -10_000))).toMatch(refused)
    expect(await refusal(gap(-20_000, 0))).toMatch(refused)
  })

  it('refuses flushes that do not follow, and chunks that no flush has', async () => {
    const flush = (id: string, at: string): string => `INSERT INTO tick_batch
      SELECT ${id}, ${at}, '', term FROM tick_batch ORDER BY id DESC LIMIT 1`
    expect(await refusal(flush('id + 2', 'at'))).toMatch(/^a flush follows the newest one/)
    expect(await refusal(flush('id + 1', 'at - 1'))).toMatch(/^a flush follows the newest one/)
    const chunk = `INSERT INTO tick_chunk SELECT ix, seq, seq, at, at, hash, hash, '' FROM (
      SELECT f.ix, f.seq0 AS seq, f.ats[1] AS at, f.hash FROM tick_batch t, flush_blocks(t.at, t.data) f
      ORDER BY t.id DESC LIMIT 1) newest`
    expect(await refusal(chunk)).toMatch(/^a chunk has what the flushes have/)
  })

  it('deletes no flush with ticks of open orders or without chunks', async () => {
    const count = async (): Promise<number> =>
      (await database().pool.query<{ n: number }>('SELECT count(*)::int AS n FROM tick_batch')).rows[0]!.n
    const compact = () => database().pool.query('SELECT compact_flushes(9999999999)')
    // What earlier runs left is in chunks.
    for (let n = await count(), last = 0; n !== last; [last, n] = [n, await count()]) await compact()
    const before = await count()
    await clock.advance(2000)
    const written = (await count()) - before
    expect(written).toBeGreaterThan(10)
    await compact()
    expect(await count()).toBe(before + written)
  })

  it('refuses a withdrawal to another account than the bound one', async () => {
    const account = (id: string, memberId: string, unbound: string): string =>
      `INSERT INTO withdrawal_account (id, member_id, type, details_sealed, bound_at, unbound_at, unbound_by)
       VALUES ('${id}', '${memberId}', 'bank', '', 1, ${unbound})`
    const other = await venue.createMember(moneyOf('100.00'))
    const withdrawal = (accountId: string): string =>
      `INSERT INTO withdrawal (id, no, member_id, account_id, account_sealed, amount, hold_id, status, created_at)
       VALUES ('w', 'w', '${member.id}', '${accountId}', '', 100, 'h', 'under_review', 1)`
    const refused = /^a withdrawal goes to the bound account/
    expect(await refusal(account('foreign', other.id, 'NULL, NULL'), withdrawal('foreign'))).toMatch(refused)
    expect(await refusal(account('past', member.id, `2, 'x'`), withdrawal('past'))).toMatch(refused)
  })

  it('refuses an earning at another rate than that of the day', async () => {
    const earning = (per10k: number, amount: number): string => `INSERT INTO fund_earning
      VALUES ('${member.id}', '1999-01-01', ${amount}, 100000000, ${per10k}, 0, 1)`
    const account = `INSERT INTO fund_account (member_id, begun_on) VALUES ('${member.id}', '2026-01-01') ON CONFLICT DO NOTHING`
    const published = `SELECT '1999-01-01' AS day, fund_rate_of('1999-01-01') AS per10k`
    const { rows } = await database().pool.query<{ per10k: number }>(published)
    const due = rows[0]?.per10k ?? 0
    const rate = `INSERT INTO fund_rate ${published} ON CONFLICT DO NOTHING`
    const otherRate = `INSERT INTO fund_rate VALUES ('1999-01-02', 1)`
    expect(await refusal(otherRate)).toMatch(/^the rate of a day is the published one/)
    expect(await refusal(account, rate, earning(9000, 9000))).toMatch(/^an earning is what the rate/)
    expect(await refusal(account, rate, earning(due, 9000))).toMatch(/^an earning is what the rate/)
    expect(await refusal(account, rate, earning(due, due))).toMatch(/^an earning is of a day and a share/)
    const posted = (
      type: string,
      kind: string,
      id: string,
      available: number,
      fund: number,
      house: number,
    ): string =>
      `WITH b AS (UPDATE balance SET available = available + ${available}, fund = fund + ${fund}, pnl = pnl - ${house},
          version = version + 1 WHERE member_id = '${member.id}' RETURNING *)
        INSERT INTO posting (member_id, id, at, type, amount, available, fund, house, pnl, available_after, held_after,
          stakes_after, fund_after, pnl_after, ref_kind, ref_id)
        SELECT member_id, version, 0, '${type}', ${house === 0 ? available : fund}, ${available}, ${fund}, ${house}, ${-house},
          available, held, stakes, fund, pnl, '${kind}', '${id}' FROM b`
    const share = [
      `INSERT INTO fund_record (id, member_id, kind, amount, status, at, on_day, made_on)
        VALUES ('share', '${member.id}', 'deposit', 100000, 'pending_review', 0, '1998-12-31', '1998-12-30')`,
      posted('fund_in', 'fund_deposit', 'share', -100000, 100000, 0),
    ]
    const ofShare = `INSERT INTO fund_earning VALUES ('${member.id}', '1999-01-01', div(100000 * ${due}, 100000000),
      100000, ${due}, mod(100000 * ${due}, 100000000), 1)`
    const earned = posted(
      'fund_earning',
      'fund_earning',
      '1999-01-01',
      0,
      Math.trunc((100_000 * due) / 1e8),
      -Math.trunc((100_000 * due) / 1e8),
    )
    expect(await refusal(account, rate, ...share, ofShare, earned, earned)).toMatch(/posting_earned_once/)
  })
}
