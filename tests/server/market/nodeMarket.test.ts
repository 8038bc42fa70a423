import { afterEach, beforeEach, expect, it } from 'vitest'
import { dayMs } from '../../../contract/time.ts'
import { encodeFlush, messageOf } from '../../../server/market/nodes/flushMessage.ts'
import { silenceMaxMs } from '../../../server/market/nodes/followedLog.ts'
import { openNodeMarket, type NodeMarket } from '../../../server/market/nodeMarket.ts'
import type { MarketProduct } from '../../../server/market/feed/loadProducts.ts'
import { packBatch } from '../../../server/market/log/batch.ts'
import { createFlushStore, readNewestWatermark } from '../../../server/market/log/flushStore.ts'
import { openMarketFollower, type MarketFollower } from '../../../server/market/read/follower.ts'
import { openMarketWriter, type MarketWriter } from '../../../server/market/writer.ts'
import { SourceDiffersError } from '../../../server/market/registration.ts'
import { systemRandom } from '../../../server/platform/random.ts'
import { manualClock, type ManualClock } from '../../support/manualClock.ts'
import { sha, syntheticProduct } from '../../support/marketFixtures.ts'
import { memoryBusServer, type MemoryBusServer } from '../../support/memoryBus.ts'
import { withPostgres } from '../../support/postgres.ts'
import { testFence } from '../../support/testFence.ts'

const postgres = await withPostgres('nodeMarket')
const products = [syntheticProduct('FAST', 50), syntheticProduct('SLOW', 2, 2)]
const report = (what: string, error: unknown): never => {
  throw new Error(what, { cause: error })
}

let clock: ManualClock
let server: MemoryBusServer
let leader: { writer: MarketWriter; market: MarketFollower }
const nodes: NodeMarket[] = []
/** Flushes that nodes received from the bus. */
let received = 0

/** The node that writes, with the market its own requests read. */
async function openLeader() {
  const bus = server.connect()
  const parts = { db: postgres.database().db, clock, sha, random: systemRandom, report }
  const writer = await openMarketWriter({
    ...parts,
    fence: testFence,
    products,
    tickRetentionMs: 3 * dayMs,
    logLine: () => undefined,
    everyMs: 200,
  })
  const { registered, isCatchingUp } = writer
  const market = await openMarketFollower({ ...parts, registered, end: writer.end(), isCatchingUp })
  writer.onCommit((commit) => {
    market.apply(commit)
    bus.publish('flush', encodeFlush(messageOf(commit, testFence.term)))
  })
  writer.onCompacted((compacted) => market.applyCompacted(compacted))
  writer.start()
  return { writer, market }
}

async function readNewestFlush(): Promise<{ id: number; term: number }> {
  const newest = await createFlushStore(postgres.database().db, testFence).newest()
  return newest ?? { id: 0, term: 0 }
}

async function openNode(
  table: readonly MarketProduct[] = products,
  isPlausible: (at: number) => boolean = () => true,
): Promise<NodeMarket> {
  const { db } = postgres.database()
  const parts = { db, bus: server.connect(), clock, sha, random: systemRandom, report }
  const node = await openNodeMarket({
    ...parts,
    products: table,
    onFlush: () => void (received += 1),
    isPlausible,
    onLost: (error) => report('lost', error),
  })
  nodes.push(node)
  return node
}

/** Lets the node read from the database, in real time, until it has all that the leader wrote. */
async function catchUp({ market }: NodeMarket): Promise<void> {
  await leader.writer.stop()
  await expect
    .poll(async () => {
      await clock.advance(silenceMaxMs)
      return market.flushedAt()
    })
    .toBe(leader.market.flushedAt())
}

/** What a member can see of a product. */
async function viewOf(market: NodeMarket['market'], id: string) {
  return {
    ticker: market.ticker(id),
    head: market.head(id),
    watermark: market.watermark(id),
    spark: await market.spark(id),
    gaps: await market.gaps(id),
    candles: await market.candles(id, '1m', clock.now() + 60_000, 50),
    ticks: await market.ticksAfter(id, 0, 10_000),
    sources: market.sources(id),
  }
}

postgres.describe('the market of a node that does not lead', () => {
  beforeEach(async () => {
    const newest = await readNewestWatermark(postgres.database().db)
    clock = manualClock(Math.max(Date.now(), newest))
    server = memoryBusServer()
    leader = await openLeader()
    await clock.advance(40_000)
  })
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop()
    await leader.writer.stop()
  })

  it('is the leader’s, from the database at its start and from the bus after it', async () => {
    const node = await openNode()
    const { market } = node
    for (let i = 0; i < 40; i++) {
      await clock.advance(1000)
      expect(market.flushedAt()).toBe(leader.market.flushedAt())
    }
    expect(node.silentMs()).toBeLessThan(1000)
    for (const { settings } of products)
      expect(await viewOf(market, settings.id)).toEqual(await viewOf(leader.market, settings.id))
  })

  it('shows no price that does not continue the chain, and no time that the database does not have, whoever sends it', async () => {
    const steps: number[] = []
    const node = await openNode(products, (at) => {
      const isPlausible = at < clock.now() + 1000
      if (!isPlausible) steps.push(at)
      return isPlausible
    })
    const forger = server.connect()
    const { market } = node
    for (let i = 0; i < 40; i++) {
      const [fast] = products
      const ix = market.index(fast?.settings.id ?? '')
      const { seq } = market.head(fast?.settings.id ?? '')
      const at = clock.now() + (i % 2 === 0 ? 100 : 86_400_000)
      const newest = await readNewestFlush()
      const block = { ix, seq0: seq + 1, values: [at, 100, 1], hash: 'ab'.repeat(32) }
      const data = packBatch(at, i % 2 === 0 ? [block] : [])
      const forged = { id: newest.id + 1, at, term: newest.term, data }
      forger.publish('flush', encodeFlush({ ...forged, gaps: [], minutesUntil: 0, openingPrices: [] }))
      await clock.advance(1000)
    }
    await catchUp(node)
    expect(steps.length).toBeGreaterThan(0)
    for (const { settings } of products)
      expect(await viewOf(node.market, settings.id)).toEqual(await viewOf(leader.market, settings.id))
  })

  it('reads what the bus has lost from the database', async () => {
    const node = await openNode()
    let sent = 0
    let lost = 0
    server.loses = () => {
      const isLost = ++sent % 3 === 0 || (sent > 50 && sent < 100)
      if (isLost) lost += 1
      return isLost
    }
    await clock.advance(40_000)
    server.loses = () => true
    await clock.advance(5000)
    await catchUp(node)
    expect(lost).toBeGreaterThan(50)
    for (const { settings } of products)
      expect(await viewOf(node.market, settings.id)).toEqual(await viewOf(leader.market, settings.id))
  })

  it('listens to the bus until its own engine brings every flush', async () => {
    const node = await openNode()
    await clock.advance(2000)
    expect(received).toBeGreaterThan(0)
    server.loses = () => true
    await clock.advance(1000)
    server.loses = () => false
    leader.writer.onCommit((commit) => node.apply(commit, testFence.term))
    await expect
      .poll(async () => {
        await clock.advance(silenceMaxMs)
        return node.market.flushedAt() === leader.market.flushedAt()
      })
      .toBe(true)
    expect(node.missedFlushes()).toBeGreaterThan(0)
    await clock.advance(silenceMaxMs)
    const atEnd = received
    await clock.advance(2000)
    expect(received).toBe(atEnd)
    for (const { settings } of products)
      expect(await viewOf(node.market, settings.id)).toEqual(await viewOf(leader.market, settings.id))
  })

  it('does not open with another product table than the leader’s', async () => {
    await expect(openNode([syntheticProduct('FAST', 51)])).rejects.toThrow(SourceDiffersError)
    await expect(openNode([syntheticProduct('OTHER', 50)])).rejects.toThrow(SourceDiffersError)
  })
})
