import { beforeEach, expect, it } from 'vitest'
import { genesis, verifyChain } from '../../../../contract/chain.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { feedProduct } from '../../../../server/market/schema.ts'
import { createChunkStore, type ChunkStore } from '../../../../server/market/log/chunkStore.ts'
import type { Compacted } from '../../../../server/market/commit.ts'
import { ChunkCompactor } from '../../../../server/market/log/chunkCompactor.ts'
import { Tail } from '../../../../server/market/log/tail.ts'
import { verifyLog } from '../../../../server/market/log/verifyLog.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { testFence } from '../../../support/testFence.ts'
import { loseCommit } from '../../../support/lostConnection.ts'
import { openMarket, sha, syntheticProduct } from '../../../support/marketFixtures.ts'

let database: Database
beforeEach(async () => {
  database = await withDatabase()
})

const chunksOf = async (): Promise<{ ix: number; seq0: number; seq1: number }[]> =>
  (await database.pool.query('SELECT ix, seq0, seq1 FROM tick_chunk ORDER BY ix, seq0')).rows

it('finds chunks whose commit was not acknowledged and continues after them', async () => {
  const clock = manualClock()
  const failures: string[] = []
  const market = await openMarket(
    database.db,
    clock,
    [syntheticProduct('A', 200), syntheticProduct('B', 200, 2)],
    {
      everyMs: 1000,
      report: (what) => void failures.push(what),
    },
  )
  market.start()
  const lostCommits = loseCommit(database.pool, 'insert into "tick_chunk"')
  await clock.advance(70_000)
  expect(lostCommits()).toBe(1)
  expect(failures).toEqual(['compacting ticks failed'])
  const chunks = await chunksOf()
  expect(chunks.map(({ ix }) => ix)).toEqual([1, 1, 1, 2, 2, 2])
  // Each starts where the one before it ended.
  for (const [i, { ix, seq0 }] of chunks.entries()) {
    const before = chunks[i - 1]
    expect(seq0).toBe(before?.ix === ix ? before.seq1 + 1 : 1)
  }
  for (const id of ['A', 'B']) {
    const { ticks } = await market.ticksAfter(id, 0, 50_000)
    expect(verifyChain(id, genesis(id, sha), ticks, market.head(id), sha)).toMatchObject({ ok: true })
  }
  expect((await verifyLog(database.db, sha)).violations).toEqual([])
  const { rows } = await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM tick_batch')
  // Flushes whose ticks are in chunks are deleted, up to those of the last half minute.
  expect(rows[0]?.n).toBeLessThan(50)
  await market.stop()
})

it('continues after a chunk that is committed late, when a larger one was already packed', async () => {
  const { db } = database
  await db.insert(feedProduct).values({ ix: 1, id: 'A', priceDecimals: 2, sizeDecimals: 0, firstAt: 1 })
  const store = createChunkStore(db, testFence)
  const calls: Parameters<ChunkStore['compact']>[] = []
  const delayed: ChunkStore = {
    ...store,
    compact: async (...args) => {
      const [first] = calls
      calls.push(args)
      if (!first) throw new Error('Connection terminated unexpectedly')
      if (calls.length === 2) await store.compact(...first)
      await store.compact(...args)
    },
  }
  const tail = new Tail(genesis('A', sha), Number.NEGATIVE_INFINITY)
  const block = (from: number, count: number): void => {
    const values = Array.from({ length: count }, (_, i) => [from + i, 100, 1]).flat()
    tail.append(from, values, sha(`block ${from}`))
  }
  const compactor = new ChunkCompactor(delayed, [{ ix: 1, tail }], () => undefined)
  const notified: Compacted[] = []
  compactor.onCompacted((each) => void notified.push(each))
  block(1, 5000)
  await expect(compactor.compact(5000)).rejects.toThrow('Connection terminated')
  block(5001, 10)
  await expect(compactor.compact(5010)).rejects.toThrow()
  await compactor.compact(5010)
  expect(notified).toEqual([[{ ix: 1, after: { seq: 5000, hash: sha('block 1') } }]])
  expect(tail.seq0).toBe(5001)
  expect(tail.count).toBe(10)
  block(5011, 4990)
  await compactor.compact(10_000)
  expect((await chunksOf()).map(({ seq0, seq1 }) => [seq0, seq1])).toEqual([
    [1, 5000],
    [5001, 10_000],
  ])
})
