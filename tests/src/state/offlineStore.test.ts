import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
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
import type { CompleteProof } from '../../../src/proof/completeProof.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

function setupDevice() {
  const kvStore = memoryKvStore()
  const state = { member: 'anna' as string | undefined, now: 1000 }
  const offline = createOfflineStore({ kvStore, memberId: () => state.member, now: () => state.now })
  return { kvStore, state, offline }
}

const messageOf = (part: Partial<Message> = {}): Message => ({
  id: 'm1',
  category: 'account',
  key: 'welcome',
  params: {},
  title: null,
  body: null,
  lang: null,
  at: epochMs(1),
  read: false,
  link: null,
  ...part,
})

const proofOf = (id: string, ticks = 1): CompleteProof => ({
  order: sampleOrder({ id, status: 'won', version: 3 }),
  rule: 'R1',
  ticks: Array.from({ length: ticks }, (_, i) => [i + 1, i, '1.00', '1']),
  before: genesis('A'),
  after: null,
  gaps: [{ from: 1, to: null }],
  source: 'test',
  sources: [{ sinceAt: 0, fingerprint: 'test', epoch: 0, text: 'test feed' }],
  watermarkAt: epochMs(9),
  final: true,
  seams: [],
  log: null,
  receipt: null,
})

describe('stored orders', () => {
  it('are returned unchanged, with the time they were received', async () => {
    const { offline } = setupDevice()
    await offline.saveOrders([sampleOrder()], 500)
    expect(await offline.orders()).toEqual([{ value: sampleOrder(), at: 500 }])
    expect(await offline.order('o1')).toEqual({ value: sampleOrder(), at: 500 })
    expect(await offline.order('o2')).toBeUndefined()
  })

  it('keep their newest version, whichever is received last', async () => {
    const { offline } = setupDevice()
    await offline.saveOrders([sampleOrder({ version: 2, status: 'open' })], 500)
    await offline.saveOrders([sampleOrder({ version: 1 })], 600)
    expect(await offline.order('o1')).toMatchObject({ at: 500, value: { version: 2 } })
    await offline.saveOrders([sampleOrder({ version: 2, status: 'open' })], 700)
    expect(await offline.order('o1')).toMatchObject({ at: 700, value: { version: 2 } })
  })

  it('are the newest, and at most the limit', async () => {
    const { offline } = setupDevice()
    const many = Array.from({ length: storedOrdersMax + 20 }, (_, i) =>
      sampleOrder({ id: `o${i}`, acceptedAt: epochMs(i) }),
    )
    await offline.saveOrders(many.slice(0, 200), 1)
    await offline.saveOrders(many.slice(200), 2)
    const stored = (await offline.orders()) ?? []
    expect(stored).toHaveLength(storedOrdersMax)
    expect(stored[0]?.value.acceptedAt).toBe(storedOrdersMax + 19)
    expect(stored.at(-1)?.value.acceptedAt).toBe(20)
  })
})

describe('stored proofs', () => {
  it('are returned unchanged', async () => {
    const { offline } = setupDevice()
    await offline.saveProof(proofOf('o1', 3), 500)
    expect(await offline.proof('o1')).toEqual({ value: proofOf('o1', 3), at: 500 })
    expect(await offline.proof('o2')).toBeUndefined()
  })

  it('are the last ones seen, limited in number', async () => {
    const { offline } = setupDevice()
    for (let i = 0; i < storedProofsMax + 2; i++) await offline.saveProof(proofOf(`o${i}`), i)
    await offline.saveProof(proofOf('o2'), 99)
    expect(await offline.proof('o1')).toBeUndefined()
    expect(await offline.proof('o2')).toMatchObject({ at: 99 })
    expect(await offline.proof(`o${storedProofsMax + 1}`)).toBeDefined()
  })

  it('are limited by their ticks, and one that is too large replaces no other', async () => {
    const { offline } = setupDevice()
    const large = Math.floor(storedTicksMax * 0.6)
    await offline.saveProof(proofOf('old', large), 1)
    await offline.saveProof(proofOf('new', large), 2)
    expect(await offline.proof('old')).toBeUndefined()
    await offline.saveProof(proofOf('huge', storedTicksMax + 1), 3)
    expect(await offline.proof('huge')).toBeUndefined()
    expect(await offline.proof('new')).toBeDefined()
  })
})

describe('stored messages', () => {
  it('are the newest, each once, and stay read', async () => {
    const { offline } = setupDevice()
    await offline.saveMessages([messageOf({ read: true })], 500)
    await offline.saveMessages([messageOf(), messageOf({ id: 'm2', at: epochMs(2) })], 600)
    expect(await offline.messages()).toEqual({
      at: 600,
      value: {
        items: [messageOf({ id: 'm2', at: epochMs(2) }), messageOf({ read: true })],
        nextCursor: null,
      },
    })
    const many = Array.from({ length: storedMessagesMax + 5 }, (_, i) =>
      messageOf({ id: `n${i}`, at: epochMs(10 + i) }),
    )
    await offline.saveMessages(many, 700)
    expect((await offline.messages())?.value.items).toHaveLength(storedMessagesMax)
  })

  it('of an hour of results are unread again with the next result', async () => {
    const { offline } = setupDevice()
    const hour = messageOf({ id: 'results-0', key: 'resultsOfHour', category: 'trade' })
    await offline.saveMessages([{ ...hour, read: true }], 500)
    await offline.saveMessages([hour], 600)
    expect((await offline.messages())?.value.items).toEqual([hour])
  })
})

describe('stored data of a member', () => {
  it('is neither stored nor read without a member', async () => {
    const { offline, kvStore, state } = setupDevice()
    state.member = undefined
    await offline.saveOrders([sampleOrder()], 1)
    await offline.saveProof(proofOf('o1'), 1)
    await offline.saveMessages([messageOf()], 1)
    expect(kvStore.entries.size).toBe(0)
    expect(await offline.orders()).toBeUndefined()
  })

  it('is not visible to another member on this device, even before it is deleted', async () => {
    const { offline, state } = setupDevice()
    await offline.saveOrders([sampleOrder()], 1)
    await offline.saveMessages([messageOf()], 1)
    await offline.saveProof(proofOf('o1'), 1)
    state.member = 'ben'
    expect(await offline.orders()).toBeUndefined()
    expect(await offline.messages()).toBeUndefined()
    expect(await offline.proof('o1')).toBeUndefined()
  })

  it('is deleted at log-out, and when another member logs in', async () => {
    for (const next of [undefined, 'ben']) {
      const { offline, kvStore, state } = setupDevice()
      await offline.saveOrders([sampleOrder()], 1)
      await offline.saveProof(proofOf('o1'), 1)
      state.member = next
      await offline.deleteOtherMembers()
      expect([...kvStore.entries.keys()]).toEqual([])
    }
  })

  it('stays while its member is logged in', async () => {
    const { offline, kvStore } = setupDevice()
    await offline.saveOrders([sampleOrder()], 1)
    await kvStore.change('annabel/orders', () => 'not hers')
    await offline.deleteOtherMembers()
    expect([...kvStore.entries.keys()]).toEqual(['anna/orders'])
  })

  it('has a guard that detects another member', () => {
    const { offline, state } = setupDevice()
    const isSameMember = offline.memberGuard()
    expect(isSameMember()).toBe(true)
    state.member = 'ben'
    expect(isSameMember()).toBe(false)
  })
})

describe('unreadable data', () => {
  it('is older than the longest session', async () => {
    const { offline, state } = setupDevice()
    await offline.saveOrders([sampleOrder()], 1)
    state.now += retentionMs - 1
    expect(await offline.orders()).toBeDefined()
    state.now += 1
    expect(await offline.orders()).toBeUndefined()
  })

  it('or has another shape than this version’s, and is replaced by the next answer', async () => {
    const { offline, kvStore } = setupDevice()
    for (const invalid of [null, 7, 'x', { value: [{ id: 'o1' }], keptAt: 1 }, { value: 'x' }]) {
      await kvStore.change('anna/orders', () => invalid)
      expect(await offline.orders()).toBeUndefined()
      await offline.saveOrders([sampleOrder()], 1)
      expect(await offline.orders()).toHaveLength(1)
    }
  })
})
