import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { hourMs } from '../../../../contract/time.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { writeLastBackup } from '../../../../server/platform/lastBackup.ts'
import { call } from '../../../support/apiCalls.ts'
import { leadDatabase } from '../../../support/ledDatabase.ts'
import { scrape } from '../../../support/metrics.ts'
import { placeOrder, tickOnce } from '../../../support/orders.ts'
import { createStaff, openAndApprove } from '../../../support/staffClient.ts'
import { clusterOf } from '../../../support/testCluster.ts'
import { openTestVenue, type TestVenue, type TestVenueOptions } from '../../../support/testVenue.ts'

let database: Database
let venue: TestVenue
beforeEach(async () => {
  database = await withDatabase()
})
afterEach(async () => {
  await venue.close()
})
const open = async (options: TestVenueOptions = {}): Promise<void> => {
  venue = await openTestVenue(database, options)
}
const metric = async (name: string): Promise<number | undefined> => (await scrape(venue.app)).get(name)

describe('the metrics of a node', () => {
  it('name the node, its role and whether it leads', async () => {
    await open({ settings: { nodeName: 'edge-a', role: 'edge' }, cluster: clusterOf({ isLeading: false }) })
    const answer = await venue.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${venue.secrets.deskKey}` },
    })
    expect(answer.body).toContain('uptick_leading{node="edge-a"} 0')
    expect(answer.body).toMatch(/uptick_node_info\{.*role="edge".*node="edge-a".*\} 1/)
    expect(answer.body).not.toMatch(/^uptick_\w+(\{(?!.*node=).*\})? /m)
  })

  it('say how far it is behind the newest committed flush, and of which term that is', async () => {
    // A node that leads would lose the lease, and say so, as soon as it writes.
    await open({ settings: { role: 'edge' }, cluster: clusterOf({ isLeading: false }) })
    const at = venue.market.flushedAt() + 1500
    await database.pool.query('INSERT INTO tick_batch (id, at, data, term) VALUES (1, $1, $2, 0)', [
      at,
      Buffer.alloc(0),
    ])
    await database.pool.query('UPDATE lease SET term = term + 1')
    const samples = await scrape(venue.app)
    expect(samples.get('uptick_follower_lag_seconds')).toBe(1.5)
    expect(samples.get('uptick_term')).toBe(1)
    expect(samples.get('uptick_database_up')).toBe(1)
  })

  it('say whether the bus is connected and what it lost, if there is one', async () => {
    await open({ cluster: clusterOf({ isLeading: true, isConnected: false, missedFlushes: 3 }) })
    const samples = await scrape(venue.app)
    expect(samples.get('uptick_bus_connected')).toBe(0)
    expect(samples.get('uptick_bus_missed_flushes_total')).toBe(3)
    await venue.close()
    await open()
    expect(await metric('uptick_bus_connected')).toBeUndefined()
  })

  it('count refused log-ins', async () => {
    await open()
    expect(await metric('uptick_login_failures_total')).toBe(0)
    const logIn = await call(venue.app, 'POST', '/auth/login', {
      body: { account: 'nobody-here', password: 'wrong-password-1' },
    })
    expect(logIn.code).toBe('BAD_CREDENTIALS')
    expect(await metric('uptick_login_failures_total')).toBe(1)
  })

  it('are served while the database is away, without what only the database knows', async () => {
    await open()
    await database.close()
    const samples = await scrape(venue.app)
    expect(samples.get('uptick_database_up')).toBe(0)
    expect(samples.get('uptick_sockets')).toBe(0)
    for (const name of ['uptick_term', 'uptick_follower_lag_seconds', 'uptick_ledger_sum'])
      expect(samples.has(name)).toBe(false)
  })
})

describe('the metrics of the venue', () => {
  it('count requests that wait for the desk, with the age of the oldest', async () => {
    await open({ live: true })
    const member = await venue.createMember()
    const request = () => member.post('/deposits', { methodId: 'bank-1', amount: '50.00' })
    expect((await request()).status).toBe(201)
    await venue.clock.advance(hourMs)
    expect((await request()).status).toBe(201)
    const samples = await scrape(venue.app)
    expect(samples.get('uptick_requests_waiting{kind="deposits"}')).toBe(2)
    expect(samples.get('uptick_requests_oldest_age_seconds{kind="deposits"}')).toBe(3600)
    expect(samples.get('uptick_requests_waiting{kind="withdrawals"}')).toBe(0)
    expect(samples.get('uptick_requests_oldest_age_seconds{kind="withdrawals"}')).toBe(0)
  })

  it('count a deposit that waits for a second person from when the first one credited it', async () => {
    const fence = await leadDatabase(database)
    await open({ live: true, fence })
    const member = await venue.createMember()
    const { body } = await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '50.00' })
    await venue.clock.advance(2 * hourMs)
    const ada = await createStaff(venue, 'finance', 'ada')
    await createStaff(venue, 'finance', 'bo')
    expect((await openAndApprove(ada, `/deposits/${body.id}`)).body).toMatchObject({
      awaitsSecondPerson: true,
    })
    await venue.clock.advance(hourMs)
    const samples = await scrape(venue.app)
    expect(samples.get('uptick_requests_waiting{kind="deposits"}')).toBe(1)
    expect(samples.get('uptick_requests_oldest_age_seconds{kind="deposits"}')).toBe(3600)
  })

  it('count orders past their close until they are settled, and refunds by their reason', async () => {
    await open()
    await venue.clock.advance(1)
    tickOnce(venue)
    await placeOrder(venue, await venue.createMember(moneyOf('100.00')))
    expect(await metric('uptick_orders_past_close')).toBe(0)
    venue.clock.leap(45_000)
    const before = await scrape(venue.app)
    expect(before.get('uptick_orders_past_close')).toBe(1)
    expect(before.get('uptick_orders_past_close_oldest_age_seconds')).toBe(15)
    expect(before.get('uptick_refunds_total{reason="NO_ENTRY"}')).toBe(0)
    venue.market.flush()
    await venue.trading.idle()
    await venue.clock.advance(20_000)
    const after = await scrape(venue.app)
    expect(after.get('uptick_orders_past_close')).toBe(0)
    expect(after.get('uptick_refunds_total{reason="NO_ENTRY"}')).toBe(1)
  })

  it('say that the ledger sums to zero, how large the database is, and how old the backup', async () => {
    await open()
    await venue.createMember(moneyOf('100.00'))
    const before = await scrape(venue.app)
    expect(before.get('uptick_ledger_sum')).toBe(0)
    expect(before.get('uptick_database_size_bytes')).toBeGreaterThan(1_000_000)
    expect(before.get('uptick_backup_age_seconds')).toBe(Infinity)
    await writeLastBackup(database.db, { at: venue.clock.now() })
    await venue.clock.advance(60_000)
    expect(await metric('uptick_backup_age_seconds')).toBe(60)
  })

  it('are served by the node that leads alone', async () => {
    await open({ cluster: clusterOf({ isLeading: false }) })
    const samples = await scrape(venue.app)
    for (const name of ['uptick_ledger_sum', 'uptick_orders_past_close', 'uptick_backup_age_seconds'])
      expect(samples.has(name)).toBe(false)
  })
})
