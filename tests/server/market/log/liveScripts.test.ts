import { describe, expect, it } from 'vitest'
import { genesis } from '../../../../contract/chain.ts'
import { createFence } from '../../../../server/platform/db/fence.ts'
import type { LiveTick } from '../../../../server/market/feed/feed.ts'
import { MinuteBuckets } from '../../../../server/market/candles/minuteBuckets.ts'
import type { Commit } from '../../../../server/market/commit.ts'
import { packBatch, unpackBatch, unpackWatermarks } from '../../../../server/market/log/batch.ts'
import type { FlushRows, FlushStore } from '../../../../server/market/log/flushStore.ts'
import { Tail } from '../../../../server/market/log/tail.ts'
import { TickLog } from '../../../../server/market/log/tickLog.ts'
import type { ProductState } from '../../../../server/market/productState.ts'
import { systemRandom } from '../../../../server/platform/random.ts'
import { fakeExchange } from '../../../support/fakeExchange.ts'
import { fc } from '../../../support/fastCheck.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { productOf, sha, syntheticProduct } from '../../../support/marketFixtures.ts'

const start = Date.UTC(2026, 0, 5, 2, 0, 0)

/** A log of a computed product and of two exchanges, on a store in memory that can fail. */
function openLog(withLive = true) {
  const clock = manualClock(start)
  const exchanges = [fakeExchange(clock), fakeExchange(clock)]
  const live = { clock, random: systemRandom, logLine: () => undefined }
  const products = [
    syntheticProduct('WALK', 7),
    ...(withLive ? exchanges.map(({ source }, i) => productOf(`LIVE${i}`, source)) : []),
  ]
  const productStates = products.map(({ settings, source }, i): ProductState => ({
    ix: i + 1,
    settings,
    searchTerms: [],
    feed: source.kind === 'live' ? source.open(live) : source.open(start),
    dueFrom: start,
    coveredUntil: start,
    seedHistory: null,
    tail: new Tail(genesis(settings.id, sha), Number.NEGATIVE_INFINITY),
    buckets: new MinuteBuckets(),
    last: { at: start, price: 0 },
    gaps: [],
    sources: [],
    maintenance: null,
  }))
  const rows: FlushRows[] = []
  const commits: Commit[] = []
  const control = { failing: null as 'before' | 'after' | null }
  const store: FlushStore = {
    write: async (flush) => {
      if (control.failing === 'before') throw new Error('no database')
      rows.push(flush)
      if (control.failing === 'after') throw new Error('connection lost')
    },
    newest: async () => {
      const { id = 0, at = start, data = Buffer.alloc(0) } = rows.at(-1) ?? {}
      return { id, at, data, term: 7 }
    },
  }
  const warnings: string[] = []
  const log = new TickLog({
    store,
    fence: createFence(7, () => undefined),
    clock,
    sha,
    productStates,
    newest: { id: 0, at: start },
    minutesUntil: start,
    isCatchingUp: false,
    report: () => undefined,
    logLine: (_level, what) => warnings.push(what),
  })
  log.onCommit((commit) => commits.push(commit))
  log.liveFeeds.start()
  return { clock, exchanges, productStates, rows, commits, control, log, warnings }
}

type Step =
  | { kind: 'wait'; ms: number }
  | { kind: 'trade'; of: number; count: number }
  | { kind: 'drop' | 'back'; of: number }
  | { kind: 'store'; failing: 'before' | 'after' | null }

const of = fc.constantFrom(0, 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 1, max: 3000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 20_000, max: 40_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('trade'), of, count: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('drop', 'back'), of }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('store'), failing: fc.constantFrom('before', 'after', null) }),
  },
)

type Lost = { from: number; to: number }
type Played = { trades: LiveTick[]; lost: Lost[]; downSince: number | null }

/** Plays a script with a flush every 250 ms, and returns what the exchanges know. */
async function play(fixture: ReturnType<typeof openLog>, script: readonly Step[]): Promise<Played[]> {
  const { clock, exchanges, control, log } = fixture
  const played = exchanges.map((): Played => ({ trades: [], lost: [], downSince: null }))
  const flush = async (): Promise<void> => {
    do await log.flush()
    while (control.failing === null && log.isBehind)
  }
  for (const each of script) {
    if (each.kind === 'store') control.failing = each.failing
    if (each.kind === 'wait') {
      for (let left = each.ms; left > 0; left -= 250) {
        await clock.advance(Math.min(250, left))
        await flush()
      }
    }
    if (each.kind === 'wait' || each.kind === 'store') continue
    const [exchange, own] = [exchanges[each.of]!, played[each.of]!]
    // A tick may be stamped a millisecond ahead, after an instant that is covered already.
    if (each.kind !== 'trade') await clock.advance(1)
    if (each.kind === 'trade' && own.downSince === null) {
      for (let i = 0; i < each.count; i++) own.trades.push(exchange.trade(100 + i))
    }
    if (each.kind === 'drop' && own.downSince === null) {
      own.downSince = clock.now()
      exchange.drop()
    }
    if (each.kind === 'back' && own.downSince !== null) {
      const isMissed = clock.now() - own.downSince > 2000
      if (isMissed) own.lost.push({ from: own.downSince, to: clock.now() })
      exchange.comeBack(isMissed ? 'missed' : 'whole')
      own.downSince = null
    }
  }
  control.failing = null
  await clock.advance(300)
  await flush()
  await clock.advance(1000)
  await flush()
  // A flush reaches a second at most, so how far the newest one reaches depends on when the others were.
  await log.flush(true)
  return played
}

const isIn = (gaps: readonly { from: number; to: number | null }[], at: number): boolean =>
  gaps.some(({ from, to }) => at > from && (to === null || at <= to))

describe('any script of two exchanges and a failing store', () => {
  it('commits each tick once and in order, and covers every instant or has it in a gap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (script) => {
        const fixture = openLog()
        const played = await play(fixture, script)
        for (const [i, { trades, lost, downSince }] of played.entries()) {
          const state = fixture.productStates[i + 1]!
          const watermarks: number[] = []
          const committed: { id: string | null; at: number }[] = []
          let before = start
          for (const { blocks, live, gaps } of fixture.commits) {
            const { watermark } = live.find(({ ix }) => ix === state.ix)!
            expect(watermark).toBeGreaterThanOrEqual(before)
            const block = blocks.find(({ ix }) => ix === state.ix)
            for (const [n, id] of (block?.provenance?.ids ?? []).entries()) {
              const at = block?.values[n * 3] ?? 0
              expect(at).toBeGreaterThan(before)
              expect(at).toBeLessThanOrEqual(watermark)
              committed.push({ id, at })
            }
            for (const { fromAt, toAt } of gaps.filter(({ ix }) => ix === state.ix)) {
              expect(fromAt).toBeGreaterThanOrEqual(before)
              expect(toAt).toBeLessThanOrEqual(watermark)
            }
            before = watermark
            watermarks.push(watermark)
          }
          // Each trade is in the log once, unless its time is a gap.
          expect(committed.map(({ id }) => id)).toEqual(
            trades.filter(({ at }) => !isIn(state.gaps, at)).map(({ sourceId }) => sourceId),
          )
          expect(committed.filter(({ at }) => isIn(state.gaps, at))).toEqual([])
          // Every lost instant is in a gap, and the rest is covered up to where the source is received.
          for (const { from, to } of lost) {
            for (const at of [from + 1, Math.floor((from + to) / 2), to])
              expect(isIn(state.gaps, at)).toBe(true)
          }
          const gapEnd = state.gaps.at(-1)?.to ?? 0
          const receivedUntil = Math.max(downSince ?? fixture.clock.now() - 1000, gapEnd)
          expect(state.coveredUntil).toBeGreaterThanOrEqual(receivedUntil)
          if (downSince !== null) expect(state.coveredUntil).toBe(receivedUntil)
          expect(fixture.exchanges[i]!.committed.at(-1) ?? start).toBe(state.coveredUntil)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('leaves a computed product as it is without them: the same ticks, hashes, gaps and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (script) => {
        const [withLive, alone] = [openLog(), openLog(false)]
        await play(withLive, script)
        await play(alone, script)
        const [a, b] = [withLive.productStates[0]!, alone.productStates[0]!]
        expect(a.tail.head).toEqual(b.tail.head)
        expect(a.gaps).toEqual(b.gaps)
        expect(withLive.log.watermark).toBe(alone.log.watermark)
        const ticksOf = ({ rows }: ReturnType<typeof openLog>): number[] =>
          rows.flatMap(({ at, data }) =>
            unpackBatch(at, data).flatMap(({ ix, values }) => (ix === 1 ? values : [])),
          )
        expect(ticksOf(withLive)).toEqual(ticksOf(alone))
        for (const { at, data } of alone.rows) expect(packBatch(at, unpackBatch(at, data))).toEqual(data)
      }),
      {
        numRuns: 20,
        examples: [
          [
            [
              { kind: 'trade', of: 0, count: 1 },
              { kind: 'wait', ms: 1 },
              { kind: 'store', failing: 'before' },
              { kind: 'wait', ms: 700 },
            ],
          ],
        ],
      },
    )
  })
})

describe('the row of a flush', () => {
  it('has every live watermark, also without ticks, so that the newest one says how far they reach', async () => {
    const { clock, exchanges, log, rows } = openLog()
    exchanges[0]!.trade(5)
    await clock.advance(100)
    await log.flush()
    exchanges[1]!.drop()
    await clock.advance(2000)
    while (log.isBehind) await log.flush()
    await log.flush()
    const { at, data } = rows.at(-1)!
    expect([...unpackWatermarks(at, data)]).toEqual([
      [2, at],
      [3, start + 100],
    ])
  })

  it('is fetched from the feed again after a failed flush, and is reported to it only once it is committed', async () => {
    const { clock, exchanges, log, control, commits } = openLog()
    const tick = exchanges[0]!.trade(5)
    control.failing = 'before'
    await clock.advance(100)
    expect(await log.flush()).toBe(false)
    await clock.advance(100)
    expect(await log.flush()).toBe(false)
    expect(exchanges[0]!.committed).toEqual([])
    control.failing = null
    expect(await log.flush()).toBe(true)
    expect(exchanges[0]!.committed).toEqual([start + 200])
    const block = commits[0]?.blocks.find(({ ix }) => ix === 2)
    expect(block).toMatchObject({ seq0: 1, values: [tick.at, 5, 1], provenance: { ids: [tick.sourceId] } })
  })

  it('is found again if its commit was not acknowledged, with its watermarks', async () => {
    const { clock, exchanges, log, control, commits, productStates } = openLog()
    exchanges[0]!.trade(5)
    await clock.advance(100)
    control.failing = 'after'
    expect(await log.flush()).toBe(false)
    control.failing = null
    exchanges[0]!.drop()
    await clock.advance(700)
    await log.flush()
    expect(commits[0]?.live.map(({ watermark }) => watermark)).toEqual([start + 100, start + 100])
    expect(productStates[1]!.tail.head.seq).toBe(1)
  })
})
