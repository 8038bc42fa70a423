import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Route } from '../../../contract/route.ts'
import { routes } from '../../../contract/routes.ts'
import { runRoles, type RunRole } from '../../../server/platform/db/roles/grants.ts'
import { roleNamesOf } from '../../../server/platform/db/roles/roles.ts'
import { leadDatabase } from '../../support/ledDatabase.ts'
import { orderRequest } from '../../support/orders.ts'
import { bankAccount } from '../../support/payments.ts'
import { transactionPassword } from '../../support/testMembers.ts'
import { withDatabase, withVenue } from '../../support/withVenue.ts'

/** What the venue must not be able to do, at three levels: what calls take, which calls there are, what roles may write. */
const writing = [
  ...Object.values(routes as Record<string, Route>).map((route) => ({ base: '/api', route })),
  ...Object.values(officeRoutes)
    .flatMap((verbs) => Object.values(verbs as Record<string, Route>))
    .map((route) => ({ base: '/desk', route })),
].filter(({ route }) => route.method !== 'GET')
const named = ({ base, route }: (typeof writing)[number]): string => `${route.method} ${base}${route.path}`

/** The fields of a call's body, however deep. */
function fieldsOf({ body }: Route): string[] {
  const fields: string[] = []
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties } = schema as { properties?: object }
    if (properties !== undefined) fields.push(...Object.keys(properties))
    for (const part of Object.values(schema)) collect(part)
  }
  if (body) collect(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  return fields
}
const takers = (field: RegExp): string[] =>
  writing.filter(({ route }) => fieldsOf(route).some((name) => field.test(name))).map(named)

describe('the contract', () => {
  it('takes no tick, result or balance from anybody', () => {
    const fields = /tick|seq|price|entry|exit|payout|pnl|balance|available|held|stakes/i
    // The price of an alert is the member's own wish, and reaches no tick.
    expect(takers(fields)).toEqual(['POST /api/price-alerts'])
    expect(takers(/^status$|^result$|outcome/i)).toEqual([])
  })
  it('takes a rate only with an order, and an amount only from the member whose it is', () => {
    expect(takers(/rate/i)).toEqual(['POST /api/orders'])
    expect(takers(/amount/i).filter((call) => !call.startsWith('POST /api/'))).toEqual([])
  })
  it('takes no member’s id from a member, and withdrawal details only where an account is bound', () => {
    expect(takers(/^memberId$|^member$|^owner/).filter((call) => call.includes('/api/'))).toEqual([])
    expect(takers(/cardNumber|currencyAddress/)).toEqual(['POST /api/withdrawal-account'])
  })
  it('takes a password of a member from that member alone', () => {
    expect(takers(/password/i).filter((call) => call.includes('/desk/'))).toEqual([])
  })
})

describe('the route table', () => {
  it('has no writing call for ticks, results, rates or balances', () => {
    const nouns = /tick|candle|price|gap|proof|result|rate|balance|ledger|posting|asset/
    expect(writing.map(named).filter((call) => nouns.test(call))).toEqual([
      'POST /api/price-alerts',
      'DELETE /api/price-alerts/:id',
    ])
  })
  it('has one call that writes orders: the one that places them', () => {
    expect(writing.map(named).filter((call) => call.includes('/orders'))).toEqual(['POST /api/orders'])
  })
  it('has no call that writes rows of the act log, and none that answers with a password', () => {
    expect(writing.map(named).filter((call) => call.includes('audit'))).toEqual([])
    const all = Object.values(routes as Record<string, Route>).concat(
      Object.values(officeRoutes).flatMap((verbs) => Object.values(verbs as Record<string, Route>)),
    )
    const answers = all.filter(({ answer }) =>
      answer
        ? fieldsOf({ body: answer } as Route).some((name) => /password$|passwordHash|sealed/i.test(name))
        : false,
    )
    expect(answers.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

describe('a role of the database', async () => {
  const database = await withDatabase()
  const fence = await leadDatabase(database)
  const venue = await withVenue({ database, ticking: true, fence, asRoles: true })
  beforeAll(async () => {
    const member = await venue.createVerifiedMember()
    const placed = await member.post<Order>('/orders', {
      ...orderRequest(venue, { productId: 'BTCUSDT', seconds: 60 }),
    })
    expect([placed.status, placed.text]).toEqual([201, placed.text])
    await venue.clock.advance(1000)
    await venue.trading.idle()
    const other = await venue.createMember()
    expect((await other.send('POST', '/withdrawal-account', bankAccount)).status).toBe(201)
    const withdrawal = { amount: '10.00', transactionPassword }
    expect((await member.post('/withdrawals', withdrawal)).status).toBe(201)
  })

  const everybody = runRoles
  const foreign = `(SELECT id FROM withdrawal_account WHERE member_id <> w.member_id LIMIT 1)`
  const forbidden: readonly [act: string, statement: string, roles: readonly RunRole[]][] = [
    [
      'write a tick',
      `INSERT INTO tick_batch SELECT id + 1, at - 1, data, term FROM tick_batch ORDER BY id DESC LIMIT 1`,
      everybody,
    ],
    ['write a tick', `UPDATE tick_batch SET data = ''`, everybody],
    ['write a tick', `DELETE FROM tick_batch`, everybody],
    [
      'write a tick',
      `INSERT INTO feed_gap SELECT 1, max(at) - 2000, max(at) - 1000 FROM tick_batch`,
      everybody,
    ],
    [
      'write a result',
      `UPDATE orders SET status = 'lost', exit_seq = entry_seq + 1, exit_at = close_at, exit_price = entry_price - 1,
        settled_at = close_at, payout = 0, version = version + 1`,
      everybody,
    ],
    ['write one member’s rate', `UPDATE orders SET rate_bp = rate_bp + 1, version = version + 1`, everybody],
    ['write one member’s rate', `UPDATE fund_rate SET per10k = 1`, everybody],
    ['write a balance', `UPDATE balance SET available = available + 1`, everybody],
    ['write a balance', `UPDATE balance SET available = available + 1, version = version + 1`, everybody],
    ['write a balance', `UPDATE posting SET amount = 1`, everybody],
    ['move an accepted order', `UPDATE orders SET product_id = 'XAUUSD', version = version + 1`, everybody],
    ['move an accepted order', `UPDATE orders SET close_at = close_at + 1, version = version + 1`, everybody],
    ['move an accepted order', `DELETE FROM orders`, everybody],
    [
      'pay to another account',
      `UPDATE withdrawal w SET account_id = ${foreign}, version = version + 1`,
      everybody,
    ],
    [
      'pay to another account',
      `INSERT INTO withdrawal (id, no, member_id, account_id, account_sealed, amount, hold_id, status, created_at)
        SELECT 'x', 'x', w.member_id, ${foreign}, '', 100, 'x', 'under_review', 1 FROM withdrawal w`,
      everybody,
    ],
    ['change a withdrawal account', `UPDATE withdrawal_account SET details_sealed = ''`, everybody],
    ['set a password', `UPDATE member SET password_hash = password_hash`, everybody],
    ['read a password', `SELECT password_hash FROM member`, ['engine']],
    ['read a sealed field', `SELECT details_sealed FROM withdrawal_account`, ['engine']],
    ['read a sealed field', `SELECT * FROM verification`, ['engine']],
    ['read a session', `SELECT * FROM session`, ['engine']],
    ['take back a row of the act log', `DELETE FROM audit`, everybody],
    ['take back a row of the act log', `UPDATE audit SET actor = 'x'`, everybody],
    ['take back a row of the act log', `TRUNCATE audit`, everybody],
    ['become live or practice', `UPDATE setting SET value = '"live"' WHERE key = 'mode'`, everybody],
    ['remove a guard', `ALTER TABLE posting DISABLE TRIGGER ALL`, everybody],
    ['remove a guard', `DROP TRIGGER posting_is_caused ON posting`, everybody],
    [
      'remove a guard',
      `CREATE OR REPLACE FUNCTION is_practice() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
      everybody,
    ],
    ['remove a guard', `SET session_replication_role = replica`, everybody],
  ]

  it.each(forbidden)('cannot %s: %s', async (_act, statement, roles) => {
    const names = roleNamesOf('postgres')
    for (const role of roles) expect([role, await refusal(names[role], statement)]).toEqual([role, 'refused'])
  })

  /** Refused by missing rights, or by a guard of the table (class 23); a statement that changes no row proves nothing. */
  async function refusal(role: string, statement: string): Promise<string> {
    const client = await database.pool.connect()
    try {
      await client.query(`BEGIN; SET LOCAL ROLE ${role}`)
      const { rowCount } = await client.query(statement)
      await client.query('SET CONSTRAINTS ALL IMMEDIATE')
      return `accepted, ${rowCount} rows`
    } catch (error) {
      const code = String(Reflect.get(error as object, 'code'))
      return code === '42501' || code.startsWith('23') ? 'refused' : `${code}: ${String(error)}`
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
})
