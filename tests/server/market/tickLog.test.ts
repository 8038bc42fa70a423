import { beforeEach, describe, expect, it } from 'vitest'
import { genesis, verifyChain } from '../../../contract/chain.ts'
import type { ProductState } from '../../../server/market/productState.ts'
import { unpackBatch } from '../../../server/market/batch.ts'
import type { FlushRows, FlushStore } from '../../../server/market/flushStore.ts'
import { MinuteBuckets } from '../../../server/market/minuteBuckets.ts'
import { toWireTicks } from '../../../server/market/rehash.ts'
import { Tail } from '../../../server/market/tail.ts'
import { TickLog } from '../../../server/market/tickLog.ts'
import type { Flush } from '../../../server/ports.ts'
import { manualClock } from '../../support/manualClock.ts'
import { scriptedFeed, productOf, sha } from '../../support/marketFixtures.ts'
import { createFence } from '../../../server/db/fence.ts'

const start = Date.UTC(2026, 0, 5, 2, 0, 0)

/** A log over a store in memory that can be told to fail before or after it committed. */
function openLog(ticks: Record<string, readonly (readonly [number, number, number])[]>) {
  const clock = manualClock(start)
  const rows: FlushRows[] = []
  const tried: FlushRows[] = []
  const lost: string[] = []
  const seen: string[] = []
  const state = { failing: null as 'before' | 'after' | null, rowTerm: 7 }
  const store: FlushStore = {
    write: async (flush) => {
      tried.push(flush)
      if (state.failing === 'before') throw new Error('no database')
      rows.push(flush)
      seen.push(`commit ${flush.at - start}`)
      if (state.failing === 'after') throw new Error('connection lost')
    },
    newest: async () => {
      const { id = 0, at = start, data = Buffer.alloc(0) } = rows.at(-1) ?? {}
      return { id, at, data, term: state.rowTerm }
    },
  }
  const books = Object.entries(ticks).map(([id, own], i): ProductState => {
    const { settings, source } = productOf(
      id,
      scriptedFeed(own.map(([at, price, size]) => [start + at, price, size])),
    )
    return {
      ix: i + 1,
      settings,
      searchTerms: [],
      feed: source.open(0),
      dueFrom: start,
      seedHistory: null,
      tail: new Tail(genesis(id, sha), Number.NEGATIVE_INFINITY),
      buckets: new MinuteBuckets(),
      last: { at: start, price: 100 },
      gaps: [],
      sources: [],
      maintenance: null,
    }
  })
  const failures: unknown[] = []
  const log = new TickLog({
    store,
    fence: createFence(7, (error) => lost.push(error.message)),
    clock,
    sha,
    productStates: books,
    newest: { id: 0, at: start },
    minutesUntil: start,
    isCatchingUp: false,
    report: (what, error) => failures.push(what, error),
    warn: (what) => failures.push(what),
  })
  const flushes: Flush[] = []
  log.onCommit((flush) => {
    seen.push(`told ${flush.at - start}`)
    flushes.push(flush)
  })
  return { clock, rows, seen, state, books, log, flushes, failures, lost, tried }
}

describe('a flush', () => {
  let fixture: ReturnType<typeof openLog>
  beforeEach(() => {
    fixture = openLog({
      A: [
        [10, 100, 1],
        [10, 100, 1],
        [40, 101, 2],
      ],
      B: [
        [50, 7, 0],
        [51, 8, 0],
      ],
    })
  })

  it('numbers what is due, chains it, and writes one row for all products', async () => {
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.rows).toHaveLength(1)
    const blocks = unpackBatch(fixture.rows[0]!.at, fixture.rows[0]!.data)
    expect(blocks.map(({ ix, seq0, values }) => [ix, seq0, values.length / 3])).toEqual([
      [1, 1, 3],
      [2, 1, 1],
    ])
    const [a] = fixture.books
    const walked = verifyChain(
      'A',
      genesis('A', sha),
      toWireTicks(a!.settings, a!.tail.slice(0, 9)),
      a!.tail.head,
      sha,
    )
    expect(walked).toMatchObject({ ok: true, head: { seq: 3, hash: blocks[0]!.hash } })
  })

  it('is committed before anybody is told, and its watermark covers its ticks', async () => {
    await fixture.clock.advance(50)
    await fixture.log.flush()
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.seen).toEqual(['commit 50', 'told 50', 'commit 100', 'told 100'])
    expect(
      fixture.flushes.map((flush) => flush.blocks.map((block) => [block.id, block.seq0, ...block.values])),
    ).toEqual([
      [
        ['A', 1, start + 10, 100, 1, start + 10, 100, 1, start + 40, 101, 2],
        ['B', 1, start + 50, 7, 0],
      ],
      [['B', 2, start + 51, 8, 0]],
    ])
  })

  it('without ticks moves the watermark once a second', async () => {
    for (let i = 0; i < 80; i++) {
      await fixture.clock.advance(50)
      await fixture.log.flush()
    }
    expect(fixture.rows.map((row) => row.at - start)).toEqual([50, 100, 1100, 2100, 3100])
    expect(fixture.log.watermark).toBe(start + 3100)
  })

  it('does not overlap another', async () => {
    await fixture.clock.advance(50)
    await Promise.all([fixture.log.flush(), fixture.log.flush(), fixture.log.flush()])
    expect(fixture.rows).toHaveLength(1)
  })

  it('takes in at most a second of time', async () => {
    await fixture.clock.advance(4000)
    while (fixture.log.isBehind) await fixture.log.flush()
    await fixture.log.flush()
    expect(fixture.rows.map((row) => row.at - start)).toEqual([1000, 2000, 3000, 4000])
    expect(fixture.books[0]!.gaps).toEqual([])
  })

  it('a minute late still catches up: no gap', async () => {
    await fixture.clock.advance(60_000)
    expect(fixture.log.isInGap).toBe(false)
    while (fixture.log.isBehind) await fixture.log.flush()
    await fixture.log.flush()
    expect(fixture.log.watermark).toBe(start + 60_000)
    expect(fixture.rows.every((row) => row.gaps.length === 0)).toBe(true)
    expect(fixture.books.map((book) => book.tail.head.seq)).toEqual([3, 2])
  })

  it('more than a minute late makes a gap and goes on at now', async () => {
    await fixture.clock.advance(60_001)
    expect(fixture.log.isInGap).toBe(true)
    await fixture.log.flush()
    expect(fixture.rows).toMatchObject([
      { at: start + 60_001, blocks: [], gaps: [{ ix: 1, fromAt: start, toAt: start + 60_001 }, { ix: 2 }] },
    ])
    expect(fixture.books[0]!.gaps).toEqual([{ from: start, to: start + 60_001 }])
    expect(fixture.books[0]!.tail.head.seq).toBe(0)
  })
})

describe('a log that another process wrote to', () => {
  const ticks = {
    A: [
      [10, 100, 1],
      [60, 101, 1],
    ] as const,
  }

  it.each<[string, (fixture: ReturnType<typeof openLog>) => void]>([
    ['of another term', (fixture) => (fixture.state.rowTerm = 8)],
    [
      'with other bytes',
      (fixture) => (fixture.rows[0] = { ...fixture.rows[0]!, data: Buffer.from('another') }),
    ],
    ['with another instant', (fixture) => (fixture.rows[0] = { ...fixture.rows[0]!, at: start + 49 })],
    ['with a later number', (fixture) => (fixture.rows[0] = { ...fixture.rows[0]!, id: 2 })],
  ])('a flush %s is not taken for its own: it stops leading', async (_what, change) => {
    const fixture = openLog(ticks)
    fixture.state.failing = 'after'
    await fixture.clock.advance(50)
    await fixture.log.flush()
    change(fixture)
    fixture.state.failing = null
    await fixture.clock.advance(50)
    expect(await fixture.log.flush()).toBe(false)
    expect(fixture.lost).toHaveLength(1)
    expect(fixture.rows).toHaveLength(1)
    expect(fixture.flushes).toEqual([])
    expect(fixture.log.watermark).toBe(start)
  })

  it('an own flush that was committed late, after a look found nothing, is still its own', async () => {
    const fixture = openLog(ticks)
    fixture.state.failing = 'before'
    await fixture.clock.advance(50)
    await fixture.log.flush()
    fixture.state.failing = 'after'
    await fixture.clock.advance(50)
    await fixture.log.flush()
    const [second] = fixture.rows
    // The first statement is committed after all, and the second one met its number.
    fixture.rows[0] = { ...second!, at: start + 50, data: fixture.tried[0]!.data }
    fixture.state.failing = null
    await fixture.log.flush()
    expect(fixture.lost).toEqual([])
    expect(fixture.rows.map(({ id, at }) => [id, at - start])).toEqual([
      [1, 50],
      [2, 100],
    ])
  })
})

describe('a failing database', () => {
  it('loses nothing: what was due is due again, under the same number', async () => {
    const fixture = openLog({
      A: [
        [10, 100, 1],
        [60, 101, 1],
      ],
    })
    fixture.state.failing = 'before'
    await fixture.clock.advance(50)
    expect(await fixture.log.flush()).toBe(false)
    expect(fixture.log.watermark).toBe(start)
    expect(fixture.books[0]!.tail.count).toBe(0)
    fixture.state.failing = null
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.rows.map((row) => row.id)).toEqual([1])
    expect(fixture.books[0]!.tail.head.seq).toBe(2)
    expect(fixture.failures).toHaveLength(2)
  })

  it('that committed and lost the connection is asked, and nothing is written twice', async () => {
    const fixture = openLog({
      A: [
        [10, 100, 1],
        [60, 101, 1],
      ],
    })
    fixture.state.failing = 'after'
    await fixture.clock.advance(50)
    await fixture.log.flush()
    fixture.state.failing = null
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.rows.map((row) => row.id)).toEqual([1, 2])
    expect(fixture.seen).toEqual(['commit 50', 'told 50', 'commit 100', 'told 100'])
    expect(fixture.flushes.flatMap((flush) => flush.blocks.map((block) => block.seq0))).toEqual([1, 2])
  })

  it('for longer than a minute is a gap', async () => {
    const fixture = openLog({
      A: [
        [10, 100, 1],
        [60_990, 101, 1],
        [61_050, 102, 1],
      ],
    })
    fixture.state.failing = 'before'
    for (let i = 0; i < 61; i++) {
      await fixture.clock.advance(1000)
      await fixture.log.flush()
    }
    fixture.state.failing = null
    await fixture.log.flush()
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.books[0]!.gaps).toEqual([{ from: start, to: start + 61_000 }])
    expect(fixture.flushes.at(-1)!.blocks).toMatchObject([{ seq0: 1, values: [start + 61_050, 102, 1] }])
  })
})

describe('a bad feed', () => {
  it('cannot put disorder, nothing or nonsense into the log', async () => {
    const fixture = openLog({
      A: [
        [10, 100, 1],
        [30, 101, 1],
        [20, 99, 1],
        [31, 0, 1],
        [32, -5, 1],
        [33, Number.NaN, 1],
        [34, 100.5, 1],
        [35, 2 ** 53, 1],
        [36, 100, -1],
        [37, 100, Number.POSITIVE_INFINITY],
        [40, 1_000_000, 1],
      ],
    })
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.flushes[0]!.blocks[0]!.values).toEqual([
      start + 10,
      100,
      1,
      start + 30,
      101,
      1,
      start + 40,
      1_000_000,
      1,
    ])
    expect(fixture.log.anomalies.dropped).toBe(8)
    // Valid, and so taken in; the operator is told of fixture.
    expect(fixture.log.anomalies.jumped).toBe(1)
  })
})

it('a listener that throws stops neither the feed nor the others', async () => {
  const fixture = openLog({ A: [[10, 100, 1]] })
  const told: number[] = []
  fixture.log.onCommit(() => {
    throw new Error('broken')
  })
  fixture.log.onCommit((flush) => void told.push(flush.at))
  await fixture.clock.advance(50)
  await fixture.log.flush()
  expect(told).toEqual([start + 50])
  expect(fixture.failures[0]).toBe('a listener of ticks failed')
})
