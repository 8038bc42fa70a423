import { describe, expect, it } from 'vitest'
import type { Message } from '../../../streams/index.ts'
import { genesis } from '../../../contract/chain.ts'
import {
  createOfflineStore,
  storedMessagesMax,
  storedOrdersMax,
  storedProofsMax,
  storedTicksMax,
} from '../../../src/state/offlineStore.ts'
import { retentionMs } from '../../../src/state/memberKvStore.ts'
import type { OfflineProof } from '../../../src/state/offlineStore.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

function device() {
  const shelf = memoryKvStore()
  const state = { member: 'anna' as string | undefined, now: 1000 }
  const offline = createOfflineStore({ kvStore: shelf, memberId: () => state.member, now: () => state.now })
  return { shelf, state, offline }
}

const messageOf = (part: Partial<Message> = {}): Message => ({
  id: 'm1',
  category: 'account',
  key: 'welcome',
  params: {},
  title: null,
  body: null,
  lang: null,
  at: 1,
  read: false,
  link: null,
  ...part,
})

const proofOf = (id: string, ticks = 1): OfflineProof => ({
  order: sampleOrder({ id, status: 'won', version: 3 }),
  rule: 'R1',
  ticks: Array.from({ length: ticks }, (_, i) => [i + 1, i, '1.00', '1']),
  before: genesis('A'),
  after: null,
  gaps: [{ from: 1, to: null }],
  source: 'test',
  sources: [{ sinceAt: 0, fingerprint: 'test', epoch: 0, text: 'test feed' }],
  watermarkAt: 9,
  final: true,
  seams: [],
})

describe('orders kept for times without the venue', () => {
  it('come back as the venue told them, and from when', async () => {
    const { offline } = device()
    await offline.saveOrders([sampleOrder()], 500)
    expect(await offline.orders()).toEqual([{ value: sampleOrder(), at: 500 }])
    expect(await offline.order('o1')).toEqual({ value: sampleOrder(), at: 500 })
    expect(await offline.order('o2')).toBeUndefined()
  })

  it('stay in their newest version, whichever came last', async () => {
    const { offline } = device()
    await offline.saveOrders([sampleOrder({ version: 2, status: 'open' })], 500)
    await offline.saveOrders([sampleOrder({ version: 1 })], 600)
    expect(await offline.order('o1')).toMatchObject({ at: 500, value: { version: 2 } })
    await offline.saveOrders([sampleOrder({ version: 2, status: 'open' })], 700)
    expect(await offline.order('o1')).toMatchObject({ at: 700, value: { version: 2 } })
  })

  it('are the newest, and no more than the bound', async () => {
    const { offline } = device()
    const many = Array.from({ length: storedOrdersMax + 20 }, (_, i) =>
      sampleOrder({ id: `o${i}`, acceptedAt: i }),
    )
    await offline.saveOrders(many.slice(0, 200), 1)
    await offline.saveOrders(many.slice(200), 2)
    const kept = (await offline.orders()) ?? []
    expect(kept).toHaveLength(storedOrdersMax)
    expect(kept[0]?.value.acceptedAt).toBe(storedOrdersMax + 19)
    expect(kept.at(-1)?.value.acceptedAt).toBe(20)
  })
})

describe('proofs kept', () => {
  it('come back whole', async () => {
    const { offline } = device()
    await offline.saveProof(proofOf('o1', 3), 500)
    expect(await offline.proof('o1')).toEqual({ value: proofOf('o1', 3), at: 500 })
    expect(await offline.proof('o2')).toBeUndefined()
  })

  it('are the last seen, bounded by their number', async () => {
    const { offline } = device()
    for (let i = 0; i < storedProofsMax + 2; i++) await offline.saveProof(proofOf(`o${i}`), i)
    await offline.saveProof(proofOf('o2'), 99)
    expect(await offline.proof('o1')).toBeUndefined()
    expect(await offline.proof('o2')).toMatchObject({ at: 99 })
    expect(await offline.proof(`o${storedProofsMax + 1}`)).toBeDefined()
  })

  it('are bounded by their ticks, and one that is too large takes no other’s place', async () => {
    const { offline } = device()
    const large = Math.floor(storedTicksMax * 0.6)
    await offline.saveProof(proofOf('old', large), 1)
    await offline.saveProof(proofOf('new', large), 2)
    expect(await offline.proof('old')).toBeUndefined()
    await offline.saveProof(proofOf('huge', storedTicksMax + 1), 3)
    expect(await offline.proof('huge')).toBeUndefined()
    expect(await offline.proof('new')).toBeDefined()
  })
})

describe('messages kept', () => {
  it('are the newest, each once, and once read they stay so', async () => {
    const { offline } = device()
    await offline.saveMessages([messageOf({ read: true })], 500)
    await offline.saveMessages([messageOf(), messageOf({ id: 'm2', at: 2 })], 600)
    expect(await offline.messages()).toEqual({
      at: 600,
      value: { items: [messageOf({ id: 'm2', at: 2 }), messageOf({ read: true })], nextCursor: null },
    })
    const many = Array.from({ length: storedMessagesMax + 5 }, (_, i) =>
      messageOf({ id: `n${i}`, at: 10 + i }),
    )
    await offline.saveMessages(many, 700)
    expect((await offline.messages())?.value.items).toHaveLength(storedMessagesMax)
  })
})

describe('whose they are', () => {
  it('nobody logged in keeps and reads nothing', async () => {
    const { offline, shelf, state } = device()
    state.member = undefined
    await offline.saveOrders([sampleOrder()], 1)
    await offline.saveProof(proofOf('o1'), 1)
    await offline.saveMessages([messageOf()], 1)
    expect(shelf.entries.size).toBe(0)
    expect(await offline.orders()).toBeUndefined()
  })

  it('another member on this device sees none of it, even before it is gone', async () => {
    const { offline, state } = device()
    await offline.saveOrders([sampleOrder()], 1)
    await offline.saveMessages([messageOf()], 1)
    await offline.saveProof(proofOf('o1'), 1)
    state.member = 'ben'
    expect(await offline.orders()).toBeUndefined()
    expect(await offline.messages()).toBeUndefined()
    expect(await offline.proof('o1')).toBeUndefined()
  })

  it('goes with the log-out, and with another member’s log-in', async () => {
    for (const next of [undefined, 'ben']) {
      const { offline, shelf, state } = device()
      await offline.saveOrders([sampleOrder()], 1)
      await offline.saveProof(proofOf('o1'), 1)
      state.member = next
      await offline.deleteOtherMembers()
      expect([...shelf.entries.keys()]).toEqual([])
    }
  })

  it('stays while its member does', async () => {
    const { offline, shelf } = device()
    await offline.saveOrders([sampleOrder()], 1)
    await shelf.change('annabel/orders', () => 'not hers')
    await offline.deleteOtherMembers()
    expect([...shelf.entries.keys()]).toEqual(['anna/orders'])
  })

  it('an answer to a question of somebody else’s is known as such', () => {
    const { offline, state } = device()
    const isStill = offline.memberGuard()
    expect(isStill()).toBe(true)
    state.member = 'ben'
    expect(isStill()).toBe(false)
  })
})

describe('what can no longer be read', () => {
  it('is older than any session can be', async () => {
    const { offline, state } = device()
    await offline.saveOrders([sampleOrder()], 1)
    state.now += retentionMs - 1
    expect(await offline.orders()).toBeDefined()
    state.now += 1
    expect(await offline.orders()).toBeUndefined()
  })

  it('or has another shape than this version’s: the next answer takes its place', async () => {
    const { offline, shelf } = device()
    for (const odd of [null, 7, 'x', { value: [{ id: 'o1' }], keptAt: 1 }, { value: 'x' }]) {
      await shelf.change('anna/orders', () => odd)
      expect(await offline.orders()).toBeUndefined()
      await offline.saveOrders([sampleOrder()], 1)
      expect(await offline.orders()).toHaveLength(1)
    }
  })
})
