import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { checkProof } from '../../../src/proof/check.ts'
import type { StoredPlacement } from '../../../streams/index.ts'
import type { Alarm } from '../../../src/state/alarms.ts'
import {
  createEvidence,
  evidenceHeadsMax,
  evidenceOrdersMax,
  headOfOrder,
  mergedHeads,
  type StoredHead,
} from '../../../src/state/evidence.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { sampleProof } from '../../support/sampleProof.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

const hashOf = (seq: number): string => seq.toString(16).padStart(64, 'a')
const storedHead = (seq: number, from: StoredHead['from'] = 'feed'): StoredHead => ({
  seq,
  hash: hashOf(seq),
  watermark: seq * 10,
  seenAt: seq * 10 + 5,
  from,
})

function setupDevice() {
  const kvStore = memoryKvStore()
  const state = { member: 'anna' as string | undefined, alarms: [] as readonly Alarm[] }
  const inFlight = new Map<string, StoredPlacement>()
  const parts = { kvStore, memberId: () => state.member, now: () => 1000 }
  const reload = () =>
    createEvidence({ ...parts, confirmed: (key) => inFlight.get(key) }, (alarms) => {
      state.alarms = alarms
    })
  return { state, inFlight, reload, evidence: reload() }
}

describe('stored heads', () => {
  it('survive a reload, oldest first, each once', async () => {
    const { evidence, reload } = setupDevice()
    const ownHead = headOfOrder({ seq: 7, hash: hashOf(7), at: epochMs(70) }, 75)
    expect(ownHead).toEqual(storedHead(7, 'order'))
    await evidence.addHeads(sampleOrder(), [storedHead(9)])
    await evidence.addHeads(sampleOrder(), [ownHead, storedHead(9), storedHead(8)])
    expect((await reload().get('o1')).heads).toEqual([storedHead(7, 'order'), storedHead(8), storedHead(9)])
    expect(await reload().get('o2')).toEqual({ agreed: null, heads: [], receipt: null })
  })

  it('and agreed terms stay as first received, even if the venue changes them later', async () => {
    const { evidence } = setupDevice()
    const head = { seq: 7, hash: hashOf(7), at: epochMs(70) }
    await evidence.recordOrder({ ...sampleOrder(), head }, 75)
    const later = { seq: 8, hash: hashOf(8), at: epochMs(80) }
    await evidence.recordOrder(
      sampleOrder({ head: later, direction: 'down', closeAt: epochMs(9), version: 3 }),
      85,
    )
    const { agreed, heads } = await evidence.get('o1')
    expect(agreed).toMatchObject({ direction: 'up', closeAt: 1_030_000, terms: sampleOrder().terms })
    expect(heads).toEqual([storedHead(7, 'order'), storedHead(8, 'order')])
  })

  it('and agreed terms are what the member confirmed here, whatever the venue makes of it', async () => {
    const { evidence, inFlight } = setupDevice()
    const { key, productId, direction, seconds, rateBp } = sampleOrder()
    inFlight.set(key, { key, productId, direction, amount: '10.00', seconds, rateBp, validUntil: 1 })
    // The event may come before the answer.
    const changed = sampleOrder({ direction: 'down', amount: '99.00' })
    await evidence.recordOrder(changed, 75)
    await evidence.recordOrder(changed, 76)
    inFlight.clear()
    await evidence.recordOrder(changed, 77)
    const { agreed } = await evidence.get('o1')
    expect(agreed).toMatchObject({ direction: 'up', amount: '10.00', terms: sampleOrder().terms })
    const order = { ...sampleProof().order, direction: 'down' as const, amount: '99.00' }
    const report = await checkProof({ ...sampleProof(), order }, { agreed, heads: [] }, async () => undefined)
    expect(report.agreed).toEqual({ ok: false, differs: ['direction', 'amount'] })
  })

  it('and the receipt stay as first received, whichever answer brought it', async () => {
    const { evidence, reload } = setupDevice()
    await evidence.recordOrder(sampleOrder(), 75)
    expect((await evidence.get('o1')).receipt).toBeNull()
    await evidence.recordOrder(sampleOrder({ receipt: 'first', receiptSalt: 's' }), 85)
    await evidence.recordOrder(sampleOrder({ receipt: 'later', receiptSalt: 't' }), 95)
    expect((await reload().get('o1')).receipt).toEqual({ text: 'first', salt: 's' })
    expect(await evidence.receipts()).toEqual(new Map([['o1', 'first']]))
    expect(await evidence.uncheckedOrders(1_030_000)).toEqual([])
    expect((await evidence.uncheckedOrders(1_030_001)).map(({ id }) => id)).toEqual(['o1'])
    await evidence.recordCheck(sampleOrder(), { ok: true, at: 1_030_001 })
    expect(await evidence.uncheckedOrders(1_030_001)).toEqual([])
  })

  it('with the same seq but different hashes are both kept', async () => {
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

describe('stored checks', () => {
  it('raise an alarm if they fail, which survives a reload until it is viewed', async () => {
    const { evidence, reload, state } = setupDevice()
    await evidence.recordCheck(sampleOrder({ id: 'good', no: 'G' }), { ok: true, at: 5 })
    expect(state.alarms).toEqual([])
    await evidence.recordCheck(sampleOrder({ id: 'bad', no: 'B' }), { ok: false, at: 6 })
    expect(state.alarms).toEqual([{ orderId: 'bad', no: 'B' }])
    expect(await evidence.checkedIds()).toEqual(new Set(['good', 'bad']))
    state.alarms = []
    const reloaded = reload()
    await reloaded.publishAlarms()
    expect(state.alarms).toEqual([{ orderId: 'bad', no: 'B' }])
    await reloaded.markSeen('bad')
    expect(state.alarms).toEqual([])
    await reload().publishAlarms()
    expect(state.alarms).toEqual([])
  })

  it('are not marked as seen before the check has ended', async () => {
    const { evidence, state } = setupDevice()
    await evidence.addHeads(sampleOrder(), [storedHead(1)])
    await evidence.markSeen('o1')
    await evidence.recordCheck(sampleOrder(), { ok: false, at: 6 })
    expect(state.alarms).toHaveLength(1)
  })

  it('are kept for the newest orders, and always if they failed', async () => {
    const { evidence } = setupDevice()
    await evidence.recordCheck(sampleOrder({ id: 'bad', closeAt: epochMs(1) }), { ok: false, at: 1 })
    for (let i = 2; i < evidenceOrdersMax + 10; i++)
      await evidence.recordCheck(sampleOrder({ id: `o${i}`, closeAt: epochMs(i) }), { ok: true, at: i })
    const checked = await evidence.checkedIds()
    expect(checked.size).toBe(evidenceOrdersMax + 1)
    expect([checked.has('bad'), checked.has('o9'), checked.has('o10')]).toEqual([true, false, true])
  })

  it('belong to the member', async () => {
    const { evidence, state } = setupDevice()
    await evidence.recordCheck(sampleOrder(), { ok: false, at: 6 })
    state.member = 'ben'
    await evidence.publishAlarms()
    expect([state.alarms, (await evidence.get('o1')).agreed]).toEqual([[], null])
  })
})

it('runningOrders returns the orders not closed at an instant', async () => {
  const { evidence } = setupDevice()
  await evidence.addHeads(sampleOrder({ id: 'over', closeAt: epochMs(100) }), [])
  await evidence.addHeads(sampleOrder({ id: 'runs', closeAt: epochMs(101) }), [])
  expect((await evidence.runningOrders(100)).map(({ id }) => id)).toEqual(['runs'])
})
