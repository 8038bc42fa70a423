import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFence, LeaseLostError } from '../../../server/db/fence.ts'
import type { Fence } from '../../../server/db/fence.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import type { OrderRow } from '../../../server/db/schema/order.ts'
import { bucketStore } from '../../../server/market/bucket-store.ts'
import { chunkStore } from '../../../server/market/chunk-store.ts'
import { flushStore } from '../../../server/market/flush-store.ts'
import { isOvertakenByFlush, placeOrders } from '../../../server/trading/placeStatement.ts'
import type { Placing } from '../../../server/trading/placeStatement.ts'
import { orderOf } from '../../../server/trading/row.ts'
import { openOrders, settleOrders } from '../../../server/trading/settleStatement.ts'
import { openFundHouse } from '../../support/fundHouse.ts'
import { openHouse } from '../../support/house.ts'
import type { House } from '../../support/house.ts'

let database: Database
let house: House
beforeAll(async () => {
  database = await openMemoryDatabase()
  house = await openHouse(database)
}, 60_000)
afterAll(() => database.close())

const lost: string[] = []
/** A leader whose term is over. */
const past = (): Fence => createFence(6, (error) => lost.push(error.message))
const flush = { id: 5, at: 1000, data: Buffer.alloc(0), minutes: [], gaps: [] }
const minute = { openAt: 0, data: Buffer.alloc(1) }
const business = { today: '2026-05-01', now: 0 }

/** Everything that only the leader writes, under a term that is over. */
const statements: Record<string, (fence: Fence) => Promise<unknown>> = {
  'a flush': (fence) => flushStore(database.db, fence).write(flush),
  'a flush with minutes and gaps': (fence) =>
    flushStore(database.db, fence).write({ ...flush, minutes: [minute] }),
  sealing: (fence) => chunkStore(database.db, fence).seal([], 99),
  pruning: (fence) => chunkStore(database.db, fence).prune(1, [1]),
  'sealing an hour': (fence) => bucketStore(database.db, fence).sealHour(0, []),
  placing: (fence) => placeOrders({ pool: database.pool, fence }, [placing()], business),
  'storing entries': (fence) => openOrders({ pool: database.pool, fence }, [{ orderId: 'x', entry }]),
  settling: (fence) => settleOrders({ pool: database.pool, fence }, [], 1, business.today),
  'forgetting keys': (fence) => house.keys.prune(fence),
  'ending sessions': (fence) => house.sessions.endExpired(fence),
  'fund days': async (fence) => (await openFundHouse(database, { fence })).fund.job.run('2026-05-02'),
}
const entry = { seq: 1, at: 1, price: 1 }
const sampleRow = (): OrderRow => ({
  id: 'o',
  no: '1',
  memberId: 'nobody',
  key: 'k',
  productId: 'A',
  direction: 'up',
  amount: 1000,
  seconds: 30,
  rateBp: 8500,
  rule: 'R1',
  priceDecimals: 2,
  entryTimeoutMs: 10_000,
  maxTickGapMs: 15_000,
  source: 'test',
  acceptedAt: 5000,
  validUntil: 9000,
  closeAt: 35_000,
  status: 'accepted',
  entrySeq: null,
  entryAt: null,
  entryPrice: null,
  exitSeq: null,
  exitAt: null,
  exitPrice: null,
  settledAt: null,
  payout: null,
  reason: null,
  version: 1,
})
const placing = (change: Partial<OrderRow> = {}): Placing => {
  const row = { ...sampleRow(), ...change }
  return { row, order: orderOf(row, row.acceptedAt), fingerprint: 'f', answer: '{}' }
}

describe('a leader whose term is over', () => {
  beforeAll(() => database.db.execute(sql`UPDATE lease SET term = term + 1`))

  it.each(Object.keys(statements))('%s fails, writes nothing, and says so once', async (name) => {
    lost.length = 0
    const fence = past()
    const run = statements[name]!
    await expect(run(fence)).rejects.toThrow(LeaseLostError)
    await expect(run(fence)).rejects.toThrow(LeaseLostError)
    expect(lost).toEqual(['term 6 is over: another process leads this database'])
    expect((await database.db.execute(sql`SELECT 1 FROM tick_batch`)).rows).toEqual([])
    expect((await database.db.execute(sql`SELECT 1 FROM orders`)).rows).toEqual([])
  })

  it('the term itself only ever grows by one', async () => {
    for (const change of ['SET term = 0', 'SET term = term + 2', 'SET address = 1']) {
      await expect(database.pool.query(`UPDATE lease ${change}`)).rejects.toThrow('grows by one')
    }
    await expect(database.pool.query('DELETE FROM lease')).rejects.toThrow('grows by one')
    await expect(database.pool.query('TRUNCATE lease')).rejects.toThrow('denied')
  })
})

it('no order is accepted before the newest committed flush', async () => {
  const { rows } = await database.pool.query<{ term: number }>('SELECT term FROM lease')
  const fence = createFence(rows[0]!.term, (error) => lost.push(error.message))
  const row = sampleRow()
  await flushStore(database.db, fence).write({ ...flush, at: row.acceptedAt + 1 })
  const place = (acceptedAt: number) =>
    placeOrders({ pool: database.pool, fence }, [placing({ acceptedAt })], business)
  const refused: unknown = await place(row.acceptedAt).catch((error: unknown) => error)
  expect(isOvertakenByFlush(refused)).toBe(true)
  // Nobody has this balance: it is judged, and not debited.
  expect(await place(row.acceptedAt + 1)).toEqual(new Map())
})
