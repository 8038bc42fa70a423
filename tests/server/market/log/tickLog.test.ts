import { beforeEach, describe, expect, it, vi } from 'vitest'
import { genesis, verifyChain } from '../../../../contract/chain.ts'
import type { ProductState } from '../../../../server/market/productState.ts'
import { unpackBatch } from '../../../../server/market/log/batch.ts'
import type { FlushRows, FlushStore } from '../../../../server/market/log/flushStore.ts'
import { MinuteBuckets } from '../../../../server/market/candles/minuteBuckets.ts'
import { toWireTicks } from '../../../../server/market/log/rehash.ts'
import { Tail } from '../../../../server/market/log/tail.ts'
import { TickLog } from '../../../../server/market/log/tickLog.ts'
import type { Flush } from '../../../../server/market/ports.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { scriptedFeed, productOf, sha } from '../../../support/marketFixtures.ts'
import { createFence } from '../../../../server/platform/db/fence.ts'

const start = Date.UTC(2026, 0, 5, 2, 0, 0)

/** A log on a store in memory, which can fail before or after its commit. */
function openLog(ticks: Record<string, readonly (readonly [number, number, number])[]>) {
  const clock = manualClock(start)
  const rows: FlushRows[] = []
  const attempts: FlushRows[] = []
  const lost: string[] = []
  const events: string[] = []
  const prepared: number[] = []
  const state = { failing: null as 'before' | 'after' | null, rowTerm: 7, written: Promise.resolve() }
  const store: FlushStore = {
    write: async (flush) => {
      attempts.push(flush)
      await state.written
      if (state.failing === 'before') throw new Error('no database')
      rows.push(flush)
      events.push(`commit ${flush.at - start}`)
      if (state.failing === 'after') throw new Error('connection lost')
    },
    newest: async () => {
      const { id = 0, at = start, data = Buffer.alloc(0) } = rows.at(-1) ?? {}
      return { id, at, data, term: state.rowTerm }
    },
  }
  const productStates = Object.entries(ticks).map(([id, ownTicks], i): ProductState => {
    const { settings, source } = productOf(
      id,
      scriptedFeed(ownTicks.map(([at, price, size]) => [start + at, price, size])),
    )
    return {
      ix: i + 1,
      settings,
      searchTerms: [],
      feed: source.open(0),
      dueFrom: start,
      coveredUntil: start,
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
    productStates: productStates,
    newest: { id: 0, at: start },
    minutesUntil: start,
    isCatchingUp: false,
    prepareSending: ({ at }) => {
      prepared.push(at - start)
      // The bus writes to its connection in a microtask.
      return () => queueMicrotask(() => events.push(`publish ${at - start} before ${log.watermark - start}`))
    },
    report: (what, error) => failures.push(what, error),
    logLine: (_level, what) => failures.push(what),
  })
  const flushes: Flush[] = []
  log.onCommit((flush) => {
    events.push(`notify ${flush.at - start}`)
    flushes.push(flush)
  })
  return { clock, rows, events, prepared, state, productStates, log, flushes, failures, lost, attempts }
}

describe('flush', () => {
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
    const [a] = fixture.productStates
    const verified = verifyChain(
      'A',
      genesis('A', sha),
      toWireTicks(a!.settings, a!.tail.slice(0, 9)),
      a!.tail.head,
      sha,
    )
    expect(verified).toMatchObject({ ok: true, head: { seq: 3, hash: blocks[0]!.hash } })
  })

  it('is ready to be published when it is committed', async () => {
    let write = (): void => undefined
    fixture.state.written = new Promise((resolve) => (write = resolve))
    await fixture.clock.advance(50)
    const flushing = fixture.log.flush()
    await vi.waitFor(() => expect(fixture.prepared).toEqual([50]))
    expect(fixture.events).toEqual([])
    write()
    await flushing
    expect(fixture.events).toEqual(['commit 50', 'publish 50 before 0', 'notify 50'])
    expect(fixture.prepared).toEqual([50])
  })

  it('is committed, then published to other nodes, then applied, and its watermark covers its ticks', async () => {
    await fixture.clock.advance(50)
    await fixture.log.flush()
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.events).toEqual([
      'commit 50',
      'publish 50 before 0',
      'notify 50',
      'commit 100',
      'publish 100 before 50',
      'notify 100',
    ])
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

  it('moves the watermark once per second if there are no ticks', async () => {
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

  it('covers at most one second', async () => {
    await fixture.clock.advance(4000)
    while (fixture.log.isBehind) await fixture.log.flush()
    await fixture.log.flush()
    expect(fixture.rows.map((row) => row.at - start)).toEqual([1000, 2000, 3000, 4000])
    expect(fixture.productStates[0]!.gaps).toEqual([])
  })

  it('catches up without a gap if it is a minute late', async () => {
    await fixture.clock.advance(60_000)
    expect(fixture.log.isInGap).toBe(false)
    while (fixture.log.isBehind) await fixture.log.flush()
    await fixture.log.flush()
    expect(fixture.log.watermark).toBe(start + 60_000)
    expect(fixture.rows.every((row) => row.gaps.length === 0)).toBe(true)
    expect(fixture.productStates.map((state) => state.tail.head.seq)).toEqual([3, 2])
  })

  it('writes a gap and continues at the current time if it is more than a minute late', async () => {
    await fixture.clock.advance(60_001)
    expect(fixture.log.isInGap).toBe(true)
    await fixture.log.flush()
    expect(fixture.rows).toMatchObject([
      { at: start + 60_001, gaps: [{ ix: 1, fromAt: start, toAt: start + 60_001 }, { ix: 2 }] },
    ])
    expect(unpackBatch(start + 60_001, fixture.rows[0]!.data)).toEqual([])
    expect(fixture.productStates[0]!.gaps).toEqual([{ from: start, to: start + 60_001 }])
    expect(fixture.productStates[0]!.tail.head.seq).toBe(0)
  })
})

describe('flush with an unknown commit', () => {
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
  ])('gives up the lease if the log has a flush %s', async (_what, change) => {
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

  it('recognizes its own flush that is committed only after the first lookup', async () => {
    const fixture = openLog(ticks)
    fixture.state.failing = 'before'
    await fixture.clock.advance(50)
    await fixture.log.flush()
    fixture.state.failing = 'after'
    await fixture.clock.advance(50)
    await fixture.log.flush()
    const [second] = fixture.rows
    // The first statement is committed after all, so the second one fails on its number.
    fixture.rows[0] = { ...second!, at: start + 50, data: fixture.attempts[0]!.data }
    fixture.state.failing = null
    await fixture.log.flush()
    expect(fixture.lost).toEqual([])
    expect(fixture.rows.map(({ id, at }) => [id, at - start])).toEqual([
      [1, 50],
      [2, 100],
    ])
  })
})

describe('failing database', () => {
  it('loses no ticks: they are due again, with the same flush number', async () => {
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
    expect(fixture.productStates[0]!.tail.count).toBe(0)
    fixture.state.failing = null
    await fixture.clock.advance(50)
    await fixture.log.flush()
    expect(fixture.rows.map((row) => row.id)).toEqual([1])
    expect(fixture.productStates[0]!.tail.head.seq).toBe(2)
    expect(fixture.failures).toHaveLength(2)
    expect(fixture.log.failedFlushes).toBe(1)
  })

  it('does not lead to a second write if the first was committed before the connection broke', async () => {
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
    expect(fixture.events).toEqual([
      'commit 50',
      'publish 50 before 0',
      'notify 50',
      'commit 100',
      'publish 100 before 50',
      'notify 100',
    ])
    expect(fixture.flushes.flatMap((flush) => flush.blocks.map((block) => block.seq0))).toEqual([1, 2])
  })

  it('leads to a gap if it fails for more than a minute', async () => {
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
    expect(fixture.productStates[0]!.gaps).toEqual([{ from: start, to: start + 61_000 }])
    expect(fixture.flushes.at(-1)!.blocks).toMatchObject([{ seq0: 1, values: [start + 61_050, 102, 1] }])
  })
})

describe('bad feed', () => {
  it('cannot write invalid or unordered ticks to the log', async () => {
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
    // A jump is valid and logged, but it is reported to the operator.
    expect(fixture.log.anomalies.jumped).toBe(1)
  })
})

it('notifies the other listeners if one throws', async () => {
  const fixture = openLog({ A: [[10, 100, 1]] })
  const notified: number[] = []
  fixture.log.onCommit(() => {
    throw new Error('broken')
  })
  fixture.log.onCommit((flush) => void notified.push(flush.at))
  await fixture.clock.advance(50)
  await fixture.log.flush()
  expect(notified).toEqual([start + 50])
  expect(fixture.failures[0]).toBe('a tick listener failed')
})
