import { describe, expect, it } from 'vitest'
import type { Message } from '../../../streams/index.ts'
import { genesis } from '../../../contract/chain.ts'
import {
  createOffline,
  keptMessagesMax,
  keptOrdersMax,
  keptProofsMax,
  keptTicksMax,
} from '../../../src/state/offline.ts'
import { keptForMs } from '../../../src/state/memberShelf.ts'
import type { KeptProof } from '../../../src/state/offline.ts'
import { orderOf } from '../../support/sampleOrder.ts'
import { memoryShelf } from '../../support/shelf.ts'

function device() {
  const shelf = memoryShelf()
  const state = { member: 'anna' as string | undefined, now: 1000 }
  const offline = createOffline({ shelf, memberId: () => state.member, now: () => state.now })
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

const proofOf = (id: string, ticks = 1): KeptProof => ({
  order: orderOf({ id, status: 'won', version: 3 }),
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
    await offline.keepOrders([orderOf()], 500)
    expect(await offline.orders()).toEqual([{ value: orderOf(), at: 500 }])
    expect(await offline.order('o1')).toEqual({ value: orderOf(), at: 500 })
    expect(await offline.order('o2')).toBeUndefined()
  })

  it('stay in their newest version, whichever came last', async () => {
    const { offline } = device()
    await offline.keepOrders([orderOf({ version: 2, status: 'open' })], 500)
    await offline.keepOrders([orderOf({ version: 1 })], 600)
    expect(await offline.order('o1')).toMatchObject({ at: 500, value: { version: 2 } })
    await offline.keepOrders([orderOf({ version: 2, status: 'open' })], 700)
    expect(await offline.order('o1')).toMatchObject({ at: 700, value: { version: 2 } })
  })

  it('are the newest, and no more than the bound', async () => {
    const { offline } = device()
    const many = Array.from({ length: keptOrdersMax + 20 }, (_, i) => orderOf({ id: `o${i}`, acceptedAt: i }))
    await offline.keepOrders(many.slice(0, 200), 1)
    await offline.keepOrders(many.slice(200), 2)
    const kept = (await offline.orders()) ?? []
    expect(kept).toHaveLength(keptOrdersMax)
    expect(kept[0]?.value.acceptedAt).toBe(keptOrdersMax + 19)
    expect(kept.at(-1)?.value.acceptedAt).toBe(20)
  })
})

describe('proofs kept', () => {
  it('come back whole', async () => {
    const { offline } = device()
    await offline.keepProof(proofOf('o1', 3), 500)
    expect(await offline.proof('o1')).toEqual({ value: proofOf('o1', 3), at: 500 })
    expect(await offline.proof('o2')).toBeUndefined()
  })

  it('are the last seen, bounded by their number', async () => {
    const { offline } = device()
    for (let i = 0; i < keptProofsMax + 2; i++) await offline.keepProof(proofOf(`o${i}`), i)
    await offline.keepProof(proofOf('o2'), 99)
    expect(await offline.proof('o1')).toBeUndefined()
    expect(await offline.proof('o2')).toMatchObject({ at: 99 })
    expect(await offline.proof(`o${keptProofsMax + 1}`)).toBeDefined()
  })

  it('are bounded by their ticks, and one that is too large takes no other’s place', async () => {
    const { offline } = device()
    const large = Math.floor(keptTicksMax * 0.6)
    await offline.keepProof(proofOf('old', large), 1)
    await offline.keepProof(proofOf('new', large), 2)
    expect(await offline.proof('old')).toBeUndefined()
    await offline.keepProof(proofOf('huge', keptTicksMax + 1), 3)
    expect(await offline.proof('huge')).toBeUndefined()
    expect(await offline.proof('new')).toBeDefined()
  })
})

describe('messages kept', () => {
  it('are the newest, each once, and once read they stay so', async () => {
    const { offline } = device()
    await offline.keepMessages([messageOf({ read: true })], 500)
    await offline.keepMessages([messageOf(), messageOf({ id: 'm2', at: 2 })], 600)
    expect(await offline.messages()).toEqual({
      at: 600,
      value: { items: [messageOf({ id: 'm2', at: 2 }), messageOf({ read: true })], nextCursor: null },
    })
    const many = Array.from({ length: keptMessagesMax + 5 }, (_, i) => messageOf({ id: `n${i}`, at: 10 + i }))
    await offline.keepMessages(many, 700)
    expect((await offline.messages())?.value.items).toHaveLength(keptMessagesMax)
  })
})

describe('whose they are', () => {
  it('nobody logged in keeps and reads nothing', async () => {
    const { offline, shelf, state } = device()
    state.member = undefined
    await offline.keepOrders([orderOf()], 1)
    await offline.keepProof(proofOf('o1'), 1)
    await offline.keepMessages([messageOf()], 1)
    expect(shelf.kept.size).toBe(0)
    expect(await offline.orders()).toBeUndefined()
  })

  it('another member on this device sees none of it, even before it is gone', async () => {
    const { offline, state } = device()
    await offline.keepOrders([orderOf()], 1)
    await offline.keepMessages([messageOf()], 1)
    await offline.keepProof(proofOf('o1'), 1)
    state.member = 'ben'
    expect(await offline.orders()).toBeUndefined()
    expect(await offline.messages()).toBeUndefined()
    expect(await offline.proof('o1')).toBeUndefined()
  })

  it('goes with the log-out, and with another member’s log-in', async () => {
    for (const next of [undefined, 'ben']) {
      const { offline, shelf, state } = device()
      await offline.keepOrders([orderOf()], 1)
      await offline.keepProof(proofOf('o1'), 1)
      state.member = next
      await offline.forgetOthers()
      expect([...shelf.kept.keys()]).toEqual([])
    }
  })

  it('stays while its member does', async () => {
    const { offline, shelf } = device()
    await offline.keepOrders([orderOf()], 1)
    await shelf.change('annabel/orders', () => 'not hers')
    await offline.forgetOthers()
    expect([...shelf.kept.keys()]).toEqual(['anna/orders'])
  })

  it('an answer to a question of somebody else’s is known as such', () => {
    const { offline, state } = device()
    const isStill = offline.forMember()
    expect(isStill()).toBe(true)
    state.member = 'ben'
    expect(isStill()).toBe(false)
  })
})

describe('what can no longer be read', () => {
  it('is older than any session can be', async () => {
    const { offline, state } = device()
    await offline.keepOrders([orderOf()], 1)
    state.now += keptForMs - 1
    expect(await offline.orders()).toBeDefined()
    state.now += 1
    expect(await offline.orders()).toBeUndefined()
  })

  it('or has another shape than this version’s: the next answer takes its place', async () => {
    const { offline, shelf } = device()
    for (const odd of [null, 7, 'x', { value: [{ id: 'o1' }], keptAt: 1 }, { value: 'x' }]) {
      await shelf.change('anna/orders', () => odd)
      expect(await offline.orders()).toBeUndefined()
      await offline.keepOrders([orderOf()], 1)
      expect(await offline.orders()).toHaveLength(1)
    }
  })
})
