import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bucketOf, timeframes, type Candle, type Timeframe } from '../../../../contract/candles.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { createChunkReads } from '../../../../server/market/log/chunkStore.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { openMarket, scriptedFeed, productOf, syntheticProduct } from '../../../support/marketFixtures.ts'

const start = Date.UTC(2026, 0, 5, 1, 56, 20)
const shortFrames: Timeframe[] = ['250ms', '1s', '5s', '15s']

let database: Database
let clock: ManualClock
let market: RunningMarket
beforeEach(async () => {
  database = await withDatabase()
  clock = manualClock(start)
})
afterEach(async () => {
  await market.stop()
})

async function open(...products: Parameters<typeof openMarket>[2]): Promise<void> {
  market = await openMarket(database.db, clock, products, { everyMs: 1000 })
  market.start()
}

/** The candles of the logged ticks, computed from what the venue answers about single ticks. */
async function candlesFromTicks(id: string, tfMs: number): Promise<Candle[]> {
  const candles: Candle[] = []
  for (let afterSeq = 0; ;) {
    const { ticks, complete } = await market.ticksAfter(id, afterSeq, 5000)
    for (const [seq, at, priceText, size] of ticks) {
      const price = Number(priceText)
      const openAt = bucketOf(at, tfMs)
      const last = candles.at(-1)
      if (last?.openAt === openAt) {
        last.high = Math.max(last.high, price)
        last.low = Math.min(last.low, price)
        last.close = price
        last.volume += Number(size)
        last.lastSeq = seq
      } else {
        candles.push({
          openAt,
          open: price,
          high: price,
          low: price,
          close: price,
          volume: Number(size),
          lastSeq: seq,
        })
      }
      afterSeq = seq
    }
    if (complete) return candles
  }
}

async function pagesOf(id: string, tf: Timeframe, limit: number): Promise<Candle[]> {
  const paged: Candle[] = []
  for (let to = clock.now() + 1; ; to = paged[0]!.openAt) {
    const page = await market.candles(id, tf, to, limit)
    if (page.length === 0) return paged
    expect(page.length).toBeLessThanOrEqual(limit)
    paged.unshift(...page)
  }
}

describe('candles under a minute', () => {
  it('are those of the ticks, over chunks and memory, and the same when they are read again', async () => {
    await open(syntheticProduct('FAST', 200))
    await clock.advance(90_000)
    expect(await createChunkReads(database.db).newest(market.index('FAST'))).not.toBeNull()
    for (const tf of shortFrames) {
      const expected = await candlesFromTicks('FAST', timeframes[tf])
      expect(await pagesOf('FAST', tf, 57), tf).toEqual(expected)
      expect(await pagesOf('FAST', tf, 1000), `${tf}, from memory`).toEqual(expected)
      const middle = expected[Math.floor(expected.length / 2)]!
      expect(await market.candles('FAST', tf, middle.openAt + 1, 1), `${tf}, in the middle`).toEqual([middle])
    }
  })

  it('are none before the first tick', async () => {
    await open(productOf('MUTE', scriptedFeed([[start + 2000, 500, 1]])))
    await clock.advance(4000)
    expect(await market.candles('MUTE', '1s', start + 2000, 10)).toEqual([])
    expect(await market.candles('MUTE', '1s', start + 3000, 10)).toMatchObject([
      { openAt: start + 2000, lastSeq: 1 },
    ])
  })

  it('go back from page to page where one page would take too many ticks', async () => {
    await open(syntheticProduct('BUSY', 20_000))
    for (let i = 0; i < 32; i++) await clock.advance(1000)
    const first = await market.candles('BUSY', '1s', clock.now() + 1, 1000)
    expect(first.length).toBeGreaterThan(20)
    expect(first.length).toBeLessThan(30)
    // Pages of ten are complete.
    expect(await pagesOf('BUSY', '1s', 1000)).toEqual(await pagesOf('BUSY', '1s', 10))
  })

  it('end where ticks were pruned', async () => {
    await open(syntheticProduct('FAST', 200))
    await clock.advance(90_000)
    const all = await pagesOf('FAST', '1s', 1000)
    const chunks = createChunkReads(database.db)
    const oldest = await chunks.fromSeq(market.index('FAST'), 1)
    await market.stop()
    await database.db.transaction(async (tx) => {
      await tx.execute(`SELECT set_config('uptick.prune', 'on', true)`)
      await tx.execute(`DELETE FROM tick_chunk WHERE seq0 = 1`)
    })
    await open(syntheticProduct('FAST', 200))
    const shown = await pagesOf('FAST', '1s', 1000)
    expect(shown.at(0)!.lastSeq).toBeGreaterThan(oldest!.seq1)
    expect(all.slice(-shown.length).slice(1)).toEqual(shown.slice(1))
  })
})
