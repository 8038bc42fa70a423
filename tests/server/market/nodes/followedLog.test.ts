import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { GapRow } from '../../../../server/market/log/flushStore.ts'
import { decodeFlush, encodeFlush, type FlushMessage } from '../../../../server/market/nodes/flushMessage.ts'
import {
  FlushMissingError,
  followLog,
  LogDiffersError,
  silenceMaxMs,
} from '../../../../server/market/nodes/followedLog.ts'
import { fc } from '../../../support/fastCheck.ts'
import { manualClock } from '../../../support/manualClock.ts'

const gapOf = (id: number): GapRow => ({ ix: 1, fromAt: id, toAt: id + 1 })
const flushOf = (id: number, term = 3): FlushMessage => ({
  id,
  at: 1000 + id * 50,
  term,
  data: Buffer.from([id % 256, 10, 13]),
  gaps: id % 7 === 0 ? [gapOf(id)] : [],
  minutesUntil: 0,
  openingPrices: [[2, 12_345]],
})

/** The log in the database: flushes, and gaps of them and of none. */
type Stored = { flushes: FlushMessage[]; gaps: GapRow[] }

/** A node on a database; `answering` holds its answers back. */
function follow(stored: Stored, answering: () => Promise<void> = async () => undefined) {
  const clock = manualClock(0)
  const applied: FlushMessage[] = []
  const gaps = new Map<number, GapRow>()
  const addGaps = (rows: readonly GapRow[]): void => rows.forEach((row) => gaps.set(row.fromAt, row))
  const lost: unknown[] = []
  const reads: number[] = []
  const log = followLog({
    clock,
    newest: { id: 0, at: 1000, term: 3 },
    readAfter: async ({ id }) => {
      reads.push(id)
      const newer = stored.flushes.filter((flush) => flush.id > id).slice(0, 5)
      const flushes = newer.map((flush): FlushMessage => ({ ...flush, gaps: [] }))
      const answer = { flushes, gaps: [...stored.gaps] }
      await answering()
      return answer
    },
    // A forged flush has the number of the next one, and other bytes.
    continues: (flush) => flush.data[0] === flush.id % 256,
    apply: (flush) => {
      applied.push(flush)
      addGaps(flush.gaps)
    },
    applyGaps: addGaps,
    onLost: (error) => lost.push(error),
    report: (what, error) => {
      throw new Error(what, { cause: error })
    },
  })
  const ids = (): number[] => applied.map(({ id }) => id)
  return { clock, applied, ids, gaps, lost, reads, log }
}
type FollowingNode = ReturnType<typeof follow>

/** Time enough for all that is stored: each read brings five flushes at most. */
async function settle({ clock }: FollowingNode): Promise<void> {
  for (let i = 0; i < 30; i++) {
    await nextTurn()
    await clock.advance(silenceMaxMs)
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

describe('a flush on the bus', () => {
  it('has the same bytes after it was sent', () => {
    for (const id of [0, 7, 10, 300]) expect(decodeFlush(encodeFlush(flushOf(id)))).toEqual(flushOf(id))
  })
})

describe('a node that follows the log', () => {
  it('has every flush once and in order and every gap, whatever the bus loses, repeats, reorders or forges, leaders do, and however late the database answers', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ flush: fc.constantFrom('brought', 'lost') }) },
      { weight: 2, arbitrary: fc.record({ repeatFrom: fc.integer({ min: 1, max: 20 }) }) },
      { weight: 1, arbitrary: fc.constant({ forge: true }) },
      { weight: 1, arbitrary: fc.record({ takeOver: fc.constantFrom('with a flush', 'without') }) },
      { weight: 3, arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 300 }) }) },
      { weight: 2, arbitrary: fc.constant({ answer: true }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        const stored: Stored = { flushes: [], gaps: [] }
        let waiting: (() => void)[] = []
        let isSlow = true
        const node = follow(stored, async () => {
          if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve))
        })
        const answer = (): void => {
          for (const resolve of waiting) resolve()
          waiting = []
        }
        let term = 3
        const commit = (): FlushMessage => {
          const flush = flushOf(stored.flushes.length + 1, term)
          // A flush is stored before it is sent, and its gaps with it.
          stored.flushes.push(flush)
          stored.gaps.push(...flush.gaps)
          return flush
        }
        for (const each of steps) {
          if ('flush' in each) {
            const flush = commit()
            if (each.flush === 'brought') node.log.receive(flush)
          } else if ('repeatFrom' in each) {
            for (const flush of stored.flushes.slice(-each.repeatFrom)) node.log.receive(flush)
          } else if ('forge' in each) {
            const id = stored.flushes.length + 1
            node.log.receive({ ...flushOf(id, term), data: Buffer.from([(id + 1) % 256]) })
          } else if ('takeOver' in each) {
            term += 1
            stored.gaps.push(gapOf(-term))
            if (each.takeOver === 'with a flush') commit()
          } else if ('passMs' in each) void node.clock.advance(each.passMs)
          else answer()
          await nextTurn()
        }
        isSlow = false
        answer()
        commit()
        await settle(node)
        expect(node.lost).toEqual([])
        expect(node.ids()).toEqual(upTo(stored.flushes.length))
        expect(node.applied.map(({ data }) => data[0])).toEqual(stored.flushes.map(({ data }) => data[0]))
        expect([...node.gaps.keys()].sort((a, b) => a - b)).toEqual(
          stored.gaps.map(({ fromAt }) => fromAt).sort((a, b) => a - b),
        )
        await node.log.stop()
      }),
    )
  })

  it('reads nothing from the database while the bus brings every flush', async () => {
    const node = follow({ flushes: [], gaps: [] })
    for (let id = 1; id <= 100; id++) {
      await node.clock.advance(50)
      node.log.receive(flushOf(id))
    }
    expect(node.applied).toHaveLength(100)
    expect(node.reads).toEqual([])
    expect(node.log.missed()).toBe(0)
    await node.log.stop()
  })

  it('has the gap of a flush that the database brings after the bus has brought the one before it', async () => {
    const stored = { flushes: [flushOf(1), flushOf(2)], gaps: [gapOf(1)] }
    let answer = (): void => undefined
    const node = follow(stored, () => new Promise<void>((resolve) => (answer = resolve)))
    const passed = node.clock.advance(silenceMaxMs)
    node.log.receive(flushOf(1))
    answer()
    await passed
    await nextTurn()
    expect(node.ids()).toEqual([1, 2])
    expect([...node.gaps.values()]).toEqual([gapOf(1)])
    await node.log.stop()
  })

  it('reads the first flush of another leader from the database, because that may have written gaps without a flush', async () => {
    const node = follow({ flushes: [flushOf(1), flushOf(2, 4)], gaps: [gapOf(50)] })
    node.log.receive(flushOf(1))
    expect(node.gaps.size).toBe(0)
    node.log.receive(flushOf(2, 4))
    await nextTurn()
    expect(node.ids()).toEqual([1, 2])
    expect([...node.gaps.values()]).toEqual([gapOf(50)])
    node.log.receive(flushOf(3, 4))
    expect(node.ids()).toEqual([1, 2, 3])
    expect(node.reads).toEqual([1])
    await node.log.stop()
  })

  it('does not apply what does not continue its log, and reads the database instead', async () => {
    const node = follow({ flushes: [flushOf(1)], gaps: [] })
    node.log.receive({ ...flushOf(1), data: Buffer.from([9]) })
    expect(node.applied).toEqual([])
    await nextTurn()
    expect(node.applied.map(({ data }) => data[0])).toEqual([1])
    await node.log.stop()
  })

  it('counts the flushes that the bus has lost', async () => {
    const node = follow({ flushes: [flushOf(1), flushOf(2), flushOf(3)], gaps: [] })
    node.log.receive(flushOf(1))
    node.log.receive(flushOf(3))
    await nextTurn()
    expect(node.ids()).toEqual([1, 2, 3])
    expect(node.log.missed()).toBe(2)
    await node.log.stop()
  })

  it.each([
    ['a flush it needs is no longer in the database', flushOf(3), FlushMissingError],
    ['the database has another log', { ...flushOf(1), data: Buffer.from([9]) }, LogDiffersError],
  ])('stops if %s', async (_why, flush, error) => {
    const node = follow({ flushes: [flush], gaps: [] })
    await node.clock.advance(silenceMaxMs)
    expect(node.applied).toEqual([])
    expect(node.lost).toEqual([expect.any(error)])
    node.log.receive(flushOf(1))
    expect(node.applied).toEqual([])
    await node.log.stop()
  })
})
