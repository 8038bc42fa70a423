import { describe, expect, it, vi } from 'vitest'
import type { Assets } from '../../../../contract/ledger.ts'
import type { Order } from '../../../../contract/orders.ts'
import type { Bus } from '../../../../server/platform/cluster/bus.ts'
import type { Cluster } from '../../../../server/platform/ports.ts'
import { answerPlacements, createRemotePlacer } from '../../../../server/trading/orders/remotePlacer.ts'
import { checkReceipt } from '../../../../src/proof/receipt.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { memoryBusServer } from '../../../support/memoryBus.ts'
import { followerOf } from '../../../support/testCluster.ts'
import { orderRequest, tickOnce } from '../../../support/orders.ts'
import { withoutBatch } from '../../../support/withoutBatch.ts'
import { withVenue } from '../../../support/withVenue.ts'

/** The edge's connection to the leader, as its program has it. */
let edgeBus: Bus
const server = memoryBusServer()
const clock = manualClock()
const clusterOf = (isLeading: boolean): Cluster => {
  const bus = server.connect()
  if (!isLeading) edgeBus = bus
  return {
    ...followerOf,
    isLeading: () => isLeading,
    remotePlacer: createRemotePlacer(bus, clock),
    answerPlacements: (placer) => {
      if (isLeading) answerPlacements(bus, placer, () => undefined)
    },
  }
}
const leader = await withVenue({ clock, cluster: clusterOf(true) })
const { database, market, secrets } = leader
const edge = await withVenue({ database, clock, market, secrets, cluster: clusterOf(false) })
await clock.advance(1)
tickOnce(leader)

/** What the leader answers to an order of a session, as an edge requests it whose own view may be old. */
async function askLeader(sessionId: string, memberId: string): Promise<unknown> {
  const [key, fingerprint] = [edge.random.uuid(), 'f'.repeat(64)]
  const order = orderRequest(edge, { amount: '1.00' })
  const message = Buffer.from(JSON.stringify({ sessionId, memberId, key, fingerprint, order }))
  return JSON.parse(Buffer.from(await edgeBus.request('place-order', message, 60_000)).toString())
}

async function sessionOf(memberId: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM session WHERE member_id = $1', [
    memberId,
  ])
  return rows[0]?.id ?? ''
}

/** How many statements of any node name the table of keys while this runs. */
async function statementsOfKeys(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(database.pool, 'query')
  try {
    await work()
    const texts = query.mock.calls.map(([first]: unknown[]) =>
      typeof first === 'string' ? first : (first as { text: string }).text,
    )
    return texts.filter((text) => /\bidempotency\b/.test(text))
  } finally {
    query.mockRestore()
  }
}

describe('an order at a node that does not lead', () => {
  it('costs no lookup of its key: the leader’s statement that places it finds a used one', async () => {
    const member = edge.clientOf(await edge.createMember())
    const texts = await statementsOfKeys(async () => {
      const reply = await member.post<Order>('/orders', orderRequest(edge))
      expect(reply.status).toBe(201)
    })
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain('INSERT INTO orders')
  })

  it('is replayed at every node, also beside new orders of the same moment', async () => {
    const member = await edge.createMember()
    const [request, key] = [orderRequest(edge), edge.random.uuid()]
    const first = await member.post<Order>('/orders', request, key)
    expect([first.status, first.replayed]).toEqual([201, false])
    const again = await Promise.all([
      member.post<Order>('/orders', request, key),
      member.post<Order>('/orders', request),
      leader.clientOf(member).post<Order>('/orders', request, key),
    ])
    expect(again.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(again.map(({ replayed }) => replayed)).toEqual([true, false, true])
    for (const { text } of [again[0], again[2]]) expect(withoutBatch(text)).toBe(withoutBatch(first.text))
    expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('20.00')
  })

  it('has one receipt, which either node signs', async () => {
    const member = await edge.createMember()
    const { body: order } = await member.post<Order>('/orders', orderRequest(edge))
    const { body: config } = await member.get<{ logKey: string }>('/config')
    const keys = [{ key: config.logKey, from: 'venue' as const }]
    expect(await checkReceipt(order.receipt, order, { keys })).toMatchObject({ ok: true, signed: 'venue' })
    for (const node of [edge, leader]) {
      const { body } = await node.clientOf(member).get<Order>(`/orders/${order.id}`)
      expect(body.receiptSalt).toBe(order.receiptSalt)
      expect(await checkReceipt(body.receipt, order, { kept: order.receipt, keys })).toMatchObject({
        signed: 'venue',
      })
    }
  })

  it('is one order if its key is used at both nodes at once', async () => {
    const member = await edge.createMember()
    const [request, key] = [orderRequest(edge), edge.random.uuid()]
    const replies = await Promise.all(
      [edge, leader, edge, leader].map((node) => node.clientOf(member).post<Order>('/orders', request, key)),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map(({ text }) => withoutBatch(text))).size).toBe(1)
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('10.00')
  })

  it('has its rejection stored, and a later request with the key gets it although it would be placed now', async () => {
    const member = await edge.createMember()
    const [request, key] = [orderRequest(edge, { rateBp: 8100 }), edge.random.uuid()]
    const rejected = await member.post('/orders', request, key)
    expect(rejected.status).toBeGreaterThanOrEqual(400)
    const again = await member.post('/orders', request, key)
    expect([again.replayed, again.text]).toEqual([true, rejected.text])
    const other = await member.post('/orders', orderRequest(edge), key)
    expect([other.status, other.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('0.00')
  })

  it('is judged again by the leader: its session lives, is this member’s, and the account is not frozen', async () => {
    const [member, other] = [await edge.createMember(), await edge.createMember()]
    const [session, foreign] = [await sessionOf(member.id), await sessionOf(other.id)]
    expect(await askLeader(session, member.id)).toHaveProperty('order')
    const unauthenticated = { error: { code: 'UNAUTHENTICATED' } }
    expect(await askLeader(foreign, member.id)).toEqual(unauthenticated)
    expect(await askLeader(edge.random.uuid(), member.id)).toEqual(unauthenticated)
    await database.pool.query(
      `INSERT INTO member_freeze (id, member_id, reason, tell_member, from_at, until_at)
       VALUES ($1, $2, 'theft_reported', true, $3, $4)`,
      [edge.random.uuid(), other.id, edge.clock.now(), edge.clock.now() + 60_000],
    )
    expect(await askLeader(foreign, other.id)).toMatchObject({ error: { code: 'ACCOUNT_FROZEN' } })
    await member.post('/auth/logout')
    expect(await askLeader(session, member.id)).toEqual(unauthenticated)
  })

  it('belongs to one body: another one is a mismatch at the other node too', async () => {
    const member = await edge.createMember()
    const [request, key] = [orderRequest(edge), edge.random.uuid()]
    await leader.clientOf(member).post<Order>('/orders', request, key)
    const other = await member.post('/orders', { ...request, direction: 'down' }, key)
    expect([other.status, other.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  })
})
