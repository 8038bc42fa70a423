import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { priceUnits } from '../../../../contract/units.ts'
import { createFence, LeaseLostError, type Fence } from '../../../../server/platform/db/fence.ts'
import type { OrderRow } from '../../../../server/trading/schema.ts'
import { createFund } from '../../../../server/money/fund/fund.ts'
import { createBucketStore } from '../../../../server/market/candles/bucketStore.ts'
import { createChunkStore } from '../../../../server/market/log/chunkStore.ts'
import { createFlushStore } from '../../../../server/market/log/flushStore.ts'
import { placeOrders, type PlaceStatementInput } from '../../../../server/trading/orders/placeStatement.ts'
import { sharedTermsOf } from '../../../../server/market/productTerms.ts'
import { fillColumns, toOrder } from '../../../../server/trading/orders/orderRow.ts'
import { storeEntries, settleOrders } from '../../../../server/trading/orders/settleStatement.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { database } = venue

const lost: string[] = []
/** The fence of a leader whose term is over. */
const expiredFence = (): Fence => createFence(6, (error) => lost.push(error.message))
const flush = { id: 5, at: 1000, data: Buffer.alloc(0), minutes: [], gaps: [] }
const minute = { openAt: 0, data: Buffer.alloc(1) }
const business = { today: '2026-05-01', now: 0 }

/** Every write that only the leader may do. */
const statements: Record<string, (fence: Fence) => Promise<unknown>> = {
  'a flush': (fence) => createFlushStore(database.db, fence).write(flush),
  'a flush with minutes and gaps': (fence) =>
    createFlushStore(database.db, fence).write({ ...flush, minutes: [minute] }),
  'writing chunks': (fence) => createChunkStore(database.db, fence).compact([]),
  'deleting flushes': (fence) => createChunkStore(database.db, fence).deleteFlushes(99),
  pruning: (fence) => createChunkStore(database.db, fence).prune(1, [1]),
  'compacting an hour': (fence) => createBucketStore(database.db, fence).compactHour(0, []),
  placement: (fence) => placeOrders({ pool: database.pool, fence }, [placeInput()], business),
  'storing entries': (fence) => storeEntries({ pool: database.pool, fence }, [{ orderId: 'x', entry }]),
  settling: (fence) => settleOrders({ pool: database.pool, fence }, [], 1, business.today),
  'pruning keys': (fence) => venue.idempotencyKeys.prune(fence),
  'ending sessions': (fence) => venue.sessions.endExpired(fence),
  'fund days': (fence) => createFund({ ...venue, ...venue.members, fence }).job.run('2026-05-02'),
}
const entry = { seq: 1, at: 1, price: priceUnits(1) }
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
  ...sharedTermsOf(
    { settlement: { rule: 'R1' }, priceDecimals: 2, entryTimeoutMs: 10_000, maxTickGapMs: 15_000 },
    'test',
  ),
  acceptedAt: 5000,
  validUntil: 9000,
  closeAt: 35_000,
  status: 'accepted',
  ...fillColumns({ entry: null, exit: null }),
  settledAt: null,
  payout: null,
  reason: null,
  version: 1,
  headSeq: null,
  headHash: null,
  logOrigin: null,
})
const placeInput = (change: Partial<OrderRow> = {}): PlaceStatementInput => {
  const row = { ...sampleRow(), ...change }
  const placed = { order: toOrder(row, row.acceptedAt), origin: null }
  return { row, placed, fingerprint: 'f', answer: '{}' }
}

describe('a leader whose term is over', () => {
  beforeAll(() => database.db.execute(sql`UPDATE lease SET term = term + 1`))

  it.each(Object.keys(statements))('writes nothing and reports its loss once: %s', async (name) => {
    lost.length = 0
    const fence = expiredFence()
    const run = statements[name]!
    await expect(run(fence)).rejects.toThrow(LeaseLostError)
    await expect(run(fence)).rejects.toThrow(LeaseLostError)
    expect(lost).toEqual(['term 6 is over: another process leads this database'])
    expect((await database.db.execute(sql`SELECT 1 FROM tick_batch`)).rows).toEqual([])
    expect((await database.db.execute(sql`SELECT 1 FROM orders`)).rows).toEqual([])
  })

  it('can only be followed by the next term', async () => {
    for (const change of ['SET term = 0', 'SET term = term + 2', 'SET address = 1']) {
      await expect(database.pool.query(`UPDATE lease ${change}`)).rejects.toThrow('grows by one')
    }
    await expect(database.pool.query('DELETE FROM lease')).rejects.toThrow('grows by one')
    await expect(database.pool.query('TRUNCATE lease')).rejects.toThrow('denied')
  })
})

it('accepts no order before the newest committed flush', async () => {
  const { rows } = await database.pool.query<{ term: number }>('SELECT term FROM lease')
  const fence = createFence(rows[0]!.term, (error) => lost.push(error.message))
  const row = sampleRow()
  await createFlushStore(database.db, fence).write({ ...flush, at: row.acceptedAt + 1 })
  const place = (acceptedAt: number) =>
    placeOrders({ pool: database.pool, fence }, [placeInput({ acceptedAt })], business)
  expect(await place(row.acceptedAt)).toBe('overtaken')
  // The member has no balance: the order passes the check and is not debited.
  expect(await place(row.acceptedAt + 1)).toEqual(new Map())
})
