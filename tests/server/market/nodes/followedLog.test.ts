import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { FlushMessage } from '../../../../server/market/nodes/flushMessage.ts'
import { decodeFlush, encodeFlush } from '../../../../server/market/nodes/flushMessage.ts'
import { FlushMissingError, followLog, silenceMaxMs } from '../../../../server/market/nodes/followedLog.ts'
import { fc } from '../../../support/fastCheck.ts'
import { manualClock } from '../../../support/manualClock.ts'

const flushOf = (id: number): FlushMessage => ({
  id,
  at: 1000 + id * 50,
  term: 3,
  data: Buffer.from([id % 256, 10, 13]),
  gaps: id % 7 === 0 ? [{ ix: 1, fromAt: id, toAt: id + 1 }] : [],
  minutesUntil: 0,
  openingPrices: [[2, 12_345]],
})

/** A node whose database has the flushes in `stored`. */
function follow(stored: FlushMessage[], newest = { id: 0, at: 1000 }) {
  const clock = manualClock(0)
  const applied: number[] = []
  const lost: unknown[] = []
  const reads: number[] = []
  const log = followLog({
    clock,
    newest,
    readAfter: async ({ id }) => {
      reads.push(id)
      return stored.filter((flush) => flush.id > id).slice(0, 5)
    },
    apply: ({ id }: FlushMessage) => applied.push(id),
    onLost: (error) => lost.push(error),
    report: (what, error) => {
      throw new Error(what, { cause: error })
    },
  })
  return { clock, applied, lost, reads, log }
}

describe('a flush on the bus', () => {
  it('has the same bytes after it was sent', () => {
    for (const id of [0, 7, 10, 300]) expect(decodeFlush(encodeFlush(flushOf(id)))).toEqual(flushOf(id))
  })
})

describe('a node that follows the log', () => {
  it('applies every flush once and in order, whatever the bus loses, repeats or reorders', async () => {
    const arrivals = fc.array(
      fc.record({ id: fc.integer({ min: 1, max: 40 }), afterMs: fc.integer({ min: 0, max: 300 }) }),
      { maxLength: 80 },
    )
    await fc.assert(
      fc.asyncProperty(arrivals, async (messages) => {
        const stored: FlushMessage[] = []
        const node = follow(stored)
        let committed = 0
        for (const { id, afterMs } of messages) {
          await node.clock.advance(afterMs)
          // A flush is stored before it is sent.
          while (committed < id) stored.push(flushOf(++committed))
          node.log.receive(flushOf(id))
        }
        // Each read brings five at most.
        for (let i = 0; i < 20; i++) {
          await nextTurn()
          await node.clock.advance(silenceMaxMs)
        }
        expect(node.applied).toEqual(Array.from({ length: committed }, (_, i) => i + 1))
        expect(node.lost).toEqual([])
        await node.log.stop()
      }),
    )
  })

  it('reads nothing from the database while the bus brings every flush', async () => {
    const node = follow([])
    for (let id = 1; id <= 100; id++) {
      await node.clock.advance(50)
      node.log.receive(flushOf(id))
    }
    expect(node.applied).toHaveLength(100)
    expect(node.reads).toEqual([])
    expect(node.log.missed()).toBe(0)
    await node.log.stop()
  })

  it('counts the flushes that the bus has lost', async () => {
    const node = follow([flushOf(1), flushOf(2), flushOf(3)])
    node.log.receive(flushOf(1))
    node.log.receive(flushOf(3))
    await nextTurn()
    expect(node.applied).toEqual([1, 2, 3])
    expect(node.log.missed()).toBe(2)
    await node.log.stop()
  })

  it('stops if a flush it needs is no longer in the database', async () => {
    const node = follow([flushOf(3)])
    await node.clock.advance(silenceMaxMs)
    expect(node.applied).toEqual([])
    expect(node.lost).toEqual([expect.any(FlushMissingError)])
    node.log.receive(flushOf(1))
    expect(node.applied).toEqual([])
    await node.log.stop()
  })
})
