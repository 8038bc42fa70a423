import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../../src/state/alarms.ts'
import type { StoredHead } from '../../../src/state/evidence.ts'
import {
  createEvidence,
  evidenceHeadsMax,
  evidenceOrdersMax,
  headOfOrder,
  mergedHeads,
} from '../../../src/state/evidence.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

const hashOf = (seq: number): string => seq.toString(16).padStart(64, 'a')
const storedHead = (seq: number, from: StoredHead['from'] = 'feed'): StoredHead => ({
  seq,
  hash: hashOf(seq),
  watermark: seq * 10,
  seenAt: seq * 10 + 5,
  from,
})

function device() {
  const shelf = memoryKvStore()
  const state = { member: 'anna' as string | undefined, alarms: [] as readonly Alarm[] }
  const reload = () =>
    createEvidence({ kvStore: shelf, memberId: () => state.member, now: () => 1000 }, (alarms) => {
      state.alarms = alarms
    })
  return { state, reload, evidence: reload() }
}

describe('heads held for an order', () => {
  it('come back after a reload, oldest first, each once', async () => {
    const { evidence, reload } = device()
    const told = headOfOrder({ seq: 7, hash: hashOf(7), at: 70 }, 75)
    expect(told).toEqual(storedHead(7, 'order'))
    await evidence.addHeads(sampleOrder(), [storedHead(9)])
    await evidence.addHeads(sampleOrder(), [told, storedHead(9), storedHead(8)])
    expect((await reload().get('o1')).heads).toEqual([storedHead(7, 'order'), storedHead(8), storedHead(9)])
    expect(await reload().get('o2')).toEqual({ agreed: null, heads: [] })
  })

  it('and what was agreed stays as it was first told, whatever the venue says later', async () => {
    const { evidence } = device()
    const head = { seq: 7, hash: hashOf(7), at: 70 }
    await evidence.recordOrder({ ...sampleOrder(), head }, 75)
    const later = { seq: 8, hash: hashOf(8), at: 80 }
    await evidence.recordOrder(sampleOrder({ head: later, direction: 'down', closeAt: 9, version: 3 }), 85)
    const { agreed, heads } = await evidence.get('o1')
    expect(agreed).toMatchObject({ direction: 'up', closeAt: 1_030_000, terms: sampleOrder().terms })
    expect(heads).toEqual([storedHead(7, 'order'), storedHead(8, 'order')])
  })

  it('two of one number that differ are both kept: that is what they are kept for', async () => {
    const other = { ...storedHead(7), hash: hashOf(99) }
    expect(mergedHeads([storedHead(7)], [other])).toHaveLength(2)
  })

  it('are thinned, and those that came with the order stay', () => {
    const many = Array.from({ length: 500 }, (_, i) => storedHead(i, i % 100 === 99 ? 'order' : 'feed'))
    const thinned = mergedHeads(many.slice(0, 250), many.slice(250))
    expect(thinned.length).toBeLessThanOrEqual(evidenceHeadsMax)
    expect(thinned.filter(({ from }) => from === 'order').map(({ seq }) => seq)).toEqual([
      99, 199, 299, 399, 499,
    ])
    expect(thinned[0]!.seq).toBe(0)
    expect(thinned.map(({ seq }) => seq)).toEqual(thinned.map(({ seq }) => seq).toSorted((a, b) => a - b))
  })
})

describe('checks', () => {
  it('one that fails is raised, survives a reload, and is raised until it is looked at', async () => {
    const { evidence, reload, state } = device()
    await evidence.recordCheck(sampleOrder({ id: 'good', no: 'G' }), { ok: true, at: 5 })
    expect(state.alarms).toEqual([])
    await evidence.recordCheck(sampleOrder({ id: 'bad', no: 'B' }), { ok: false, at: 6 })
    expect(state.alarms).toEqual([{ orderId: 'bad', no: 'B' }])
    expect(await evidence.checkedIds()).toEqual(new Set(['good', 'bad']))
    state.alarms = []
    const again = reload()
    await again.publishAlarms()
    expect(state.alarms).toEqual([{ orderId: 'bad', no: 'B' }])
    await again.markSeen('bad')
    expect(state.alarms).toEqual([])
    await reload().publishAlarms()
    expect(state.alarms).toEqual([])
  })

  it('looking at an order whose check has not ended says nothing about it', async () => {
    const { evidence, state } = device()
    await evidence.addHeads(sampleOrder(), [storedHead(1)])
    await evidence.markSeen('o1')
    await evidence.recordCheck(sampleOrder(), { ok: false, at: 6 })
    expect(state.alarms).toHaveLength(1)
  })

  it('of the newest orders are kept, and one that failed gives way to none', async () => {
    const { evidence } = device()
    await evidence.recordCheck(sampleOrder({ id: 'bad', closeAt: 1 }), { ok: false, at: 1 })
    for (let i = 2; i < evidenceOrdersMax + 10; i++)
      await evidence.recordCheck(sampleOrder({ id: `o${i}`, closeAt: i }), { ok: true, at: i })
    const checked = await evidence.checkedIds()
    expect(checked.size).toBe(evidenceOrdersMax + 1)
    expect([checked.has('bad'), checked.has('o9'), checked.has('o10')]).toEqual([true, false, true])
  })

  it('belong to the member', async () => {
    const { evidence, state } = device()
    await evidence.recordCheck(sampleOrder(), { ok: false, at: 6 })
    state.member = 'ben'
    await evidence.publishAlarms()
    expect([state.alarms, (await evidence.get('o1')).agreed]).toEqual([[], null])
  })
})

it('orders that run at an instant', async () => {
  const { evidence } = device()
  await evidence.addHeads(sampleOrder({ id: 'over', closeAt: 100 }), [])
  await evidence.addHeads(sampleOrder({ id: 'runs', closeAt: 101 }), [])
  expect((await evidence.runningOrders(100)).map(({ id }) => id)).toEqual(['runs'])
})
