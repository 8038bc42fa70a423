import { afterEach, expect, it } from 'vitest'
import { bucketOf } from '../../../contract/candles.ts'
import { verifyChain } from '../../../contract/chain.ts'
import type { RunningMarket } from '../../../server/market/market.ts'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { manualClock } from '../../support/manualClock.ts'
import { openMarket, sha, syntheticProduct } from '../../support/marketFixtures.ts'
import { withPostgres } from '../../support/postgres.ts'

const postgres = await withPostgres('market')
let running: RunningMarket | null = null
afterEach(() => running?.stop())

postgres.describe('the tick log on PostgreSQL', () => {
  it('is written, compacted, read and recovered as on the embedded database', async () => {
    const clock = manualClock()
    const products = [syntheticProduct('FAST', 1500), syntheticProduct('SLOW', 2, 2)]
    const { db } = postgres.database()
    running = await openMarket(db, clock, products, { everyMs: 1000 })
    running.start()
    await clock.advance(10_000)
    const head = running.head('SLOW')
    await running.stop()
    await clock.advance(61_000)
    running = await openMarket(db, clock, products, { everyMs: 1000 })
    running.start()
    await clock.advance(8000)
    expect(await running.gaps('SLOW')).toHaveLength(1)
    const from = head.seq - 7
    const page = await running.ticksAfter('SLOW', from, 5000)
    const verified = verifyChain('SLOW', page.before!, page.ticks, running.head('SLOW'), sha)
    expect(verified).toMatchObject({ ok: true })
    const candles = await running.candles('SLOW', '1h', clock.now() + 1, 5)
    expect(candles.at(-1)?.lastSeq).toBe(running.head('SLOW').seq)
    // In memory are less than three seconds of it, so the first of these is in a chunk.
    const seconds = await running.candles('FAST', '1s', clock.now() + 1, 6)
    expect(seconds.map(({ openAt }) => openAt)).toEqual(
      [6, 5, 4, 3, 2, 1].map((ago) => bucketOf(clock.now(), 1000) - ago * 1000 + 1000),
    )
    expect(seconds.at(-1)?.lastSeq).toBe(running.head('FAST').seq)
    const check = await verifyLog(db, sha)
    expect(check.violations).toEqual([])
    expect(check.ticks).toBe(running.head('SLOW').seq + running.head('FAST').seq)
  })
})
