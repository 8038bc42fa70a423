import { setTimeout as wait } from 'node:timers/promises'
import type { Order } from '../../../contract/orders.ts'
import { BusError, type Subject, type Transport } from '../../../server/platform/cluster/bus.ts'
import { openNatsTransport } from '../../../server/platform/cluster/natsTransport.ts'
import { busKeysOf } from '../../../server/platform/cluster/seal.ts'
import { readVenueId } from '../../../server/platform/cluster/venueId.ts'
import { parseVenueKey } from '../../../server/platform/venueKey.ts'
import { blackBoxClient, newKey, registerMember, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { natsServer } from '../../support/nats.ts'
import { createSocketClients } from '../../support/socketClients.ts'
import { readTicks } from '../cluster/checks.ts'
import { deskKey, openCluster, venueKey, type Cluster, type ClusterNode } from '../cluster/cluster.ts'
import { findings, type Findings } from '../findings.ts'
import { rateBp, seconds } from '../kill/trader.ts'

const subjects: readonly Subject[] = [
  'flush',
  'member',
  'session-ended',
  'leader-ready',
  'place-order',
  'await-order',
]
const secrets = { asked: 'what the member asked', answered: 'what the desk answered' }
const forgedBalance = '9876543.00'
const forgedRate = 19_999
const year = 365 * 86_400_000
const clockErrorMaxMs = 2000
const answeredOrders = 10
/** Enough for each node to have received what was sent. */
const settleMs = 1500

type Heard = { subject: Subject; message: Uint8Array }
type Attack = {
  cluster: Cluster
  leader: ClusterNode
  edge: ClusterNode
  stranger: Transport
  heard: Heard[]
  expect: ReturnType<typeof findings>['expect']
}

/** Somebody reaches the NATS server of a leader and an edge, knows the venue's subjects, and has none of its keys. */
export async function strangerOnBus(main: string, seed: number): Promise<Findings & { note: string }> {
  const cluster = await openCluster({ main, feed: 'synthetic', seed })
  const { found, expect } = findings()
  let stranger: Transport | null = null
  try {
    const leader = await cluster.startCandidate()
    const edge = await cluster.startEdge()
    stranger = await listen(cluster)
    const heard: Heard[] = []
    for (const subject of subjects)
      stranger.subscribe(
        subject,
        (message) => void heard.push({ subject, message: Uint8Array.from(message) }),
      )
    const attack: Attack = { cluster, leader, edge, stranger, heard, expect }
    const member = await registerMember(edge.url, 'overheard1', '13800000001')
    await read(attack, member)
    await forge(attack, member)
    await answerFirst(attack, member)
    await lieAboutPricesAndTime(attack)
    expect(!leader.hasExited() && !edge.hasExited(), () => 'a node ended')
    return { ...found, note: `${heard.length} messages overheard` }
  } finally {
    await stranger?.close()
    await cluster.close()
  }
}

async function listen({ scratch }: Cluster): Promise<Transport> {
  const keys = parseVenueKey(venueKey)
  if (keys === null) throw new Error('the key of the cluster is none')
  const { space } = busKeysOf(keys, await readVenueId(scratch.database.db))
  return openNatsTransport({ url: natsServer(), space, name: 'stranger' }, () => undefined)
}

const requestOf = (amount: string, rate = rateBp): object => ({
  productId: 'TEST',
  direction: 'up',
  amount,
  seconds,
  rateBp: rate,
  validUntil: Date.now() + 20_000,
})
const place = (member: BlackBoxClient, amount: string) =>
  member.postWithKey<Order>('/api/orders', requestOf(amount))
const textOf = (message: Uint8Array): string => Buffer.from(message).toString('latin1')

/** Everything that the nodes say while a member trades and writes. */
async function read({ edge, leader, heard, expect }: Attack, member: BlackBoxClient): Promise<void> {
  const { body: me } = await member.get<{ id: string }>('/api/me')
  const placed = await place(member, '12.34')
  const asked = await member.call('POST', '/api/service/messages', { body: { body: secrets.asked } })
  const answered = await blackBoxClient(leader.url).call('POST', `/desk/service/${me.id}`, {
    body: { body: secrets.answered },
    headers: { authorization: `Bearer ${deskKey}` },
  })
  for (const { status, text } of [placed, asked, answered]) if (status >= 300) throw new Error(text)
  await wait(settleMs)
  for (const subject of ['flush', 'member', 'place-order'] as const) {
    const messages = heard.filter((one) => one.subject === subject)
    if (messages.length === 0) throw new Error(`nothing was heard of ${subject} at ${edge.url}`)
    for (const { message } of messages) {
      const told = [me.id, '12.34', 'available', 'TEST', ...Object.values(secrets)].filter((word) =>
        textOf(message).includes(word),
      )
      expect(told.length === 0, () => `a message of ${subject} shows ${told.join(', ')}`)
    }
  }
}

/** What the stranger makes up, and what it heard: as it was, repeated, changed, and as a message of another subject. */
async function forge(
  { cluster, edge, stranger, heard, expect }: Attack,
  member: BlackBoxClient,
): Promise<void> {
  const { pool } = cluster.scratch.database
  const { body: me } = await member.get<{ id: string }>('/api/me')
  const sockets = createSocketClients(async () => edge.url)
  try {
    const page = await sockets.connect({ cookie: member.session.cookie, origin: edge.url })
    const orders = async (): Promise<number> =>
      Number((await pool.query<{ count: string }>('SELECT count(*) FROM orders')).rows[0]?.count)
    const sessions = async (): Promise<number> =>
      Number((await pool.query<{ count: string }>('SELECT count(*) FROM session')).rows[0]?.count)
    const before = [await orders(), await sessions()]
    const made: Record<Subject, object> = {
      flush: { id: (await cluster.newest()).id + 1, term: 1, at: Date.now() + year, gaps: [] },
      member: { memberId: me.id, event: 'balance', payload: { available: forgedBalance, version: 1e6 } },
      'session-ended': { memberId: me.id, reason: 'revoked' },
      'leader-ready': {},
      'place-order': {
        memberId: me.id,
        key: newKey(),
        fingerprint: 'ab'.repeat(32),
        order: requestOf('1.00'),
      },
      'await-order': { memberId: me.id, key: newKey() },
    }
    const old = heard.slice(-200)
    const messages = old.map(({ message }) => message)
    for (const subject of subjects) {
      for (const bytes of [Buffer.from(JSON.stringify(made[subject])), Buffer.from('?'), Buffer.alloc(0)]) {
        stranger.publish(subject, bytes)
        expect((await answersTo(stranger, subject, bytes)) === 0, () => `${subject} was answered`)
      }
      for (const message of messages.slice(-40)) {
        const changed = Buffer.from(message)
        const at = changed.length - 1 - (changed.length % 7)
        changed[at] = (changed[at] ?? 0) ^ 1
        stranger.publish(subject, changed)
        stranger.publish(subject, message)
      }
    }
    for (const { subject, message } of old) stranger.publish(subject, message)
    await wait(settleMs)
    const after = [await orders(), await sessions()]
    expect(
      after.join() === before.join(),
      () => `orders and sessions were ${before.join()}, now ${after.join()}`,
    )
    expect(page.socket.connected, () => "the member's page was disconnected")
    const said = JSON.stringify(page.received)
    expect(!said.includes(forgedBalance), () => "the member's page shows the stranger's balance")
    expect((await member.get('/api/me')).status === 200, () => "the member's session ended")
  } finally {
    sockets.close()
  }
}

async function answersTo(stranger: Transport, subject: Subject, message: Uint8Array): Promise<number> {
  let answers = 0
  try {
    for await (const answer of stranger.request(subject, message, 200)) answers += answer.length === 0 ? 0 : 1
  } catch (error) {
    // Of a subject that no node answers.
    if (!(error instanceof BusError)) throw error
  }
  return answers
}

/** The stranger answers each order before the leader does, with what it makes up or has heard. */
async function answerFirst(
  { cluster, stranger, heard, expect }: Attack,
  member: BlackBoxClient,
): Promise<void> {
  const state = { answered: 0 }
  const lies = [
    { error: { code: 'INSUFFICIENT_BALANCE' } },
    { order: { id: newKey(), status: 'won', rateBp: forgedRate, payout: forgedBalance } },
  ].map((lie) => Buffer.from(JSON.stringify(lie)))
  const end = stranger.subscribe('place-order', (message, reply) => {
    state.answered += 1
    for (const lie of [...lies, message, ...heard.slice(-3).map((one) => one.message)]) reply?.(lie)
  })
  // The server may not know of the subscription yet when the first one is sent.
  for (let i = 0; i < 2 * answeredOrders && state.answered < answeredOrders; i++) {
    const { status, body, text } = await place(member, '1.00')
    const { rows } = await cluster.scratch.database.pool.query('SELECT rate_bp FROM orders WHERE id = $1', [
      body.id,
    ])
    expect(
      status === 201 && rows.length === 1 && body.rateBp === rateBp,
      () => `an order was answered ${text}`,
    )
  }
  end()
  if (state.answered < answeredOrders) throw new Error(`the stranger heard ${state.answered} requests`)
}

/** After all of it the edge has the leader's time and the leader's ticks. */
async function lieAboutPricesAndTime({ edge, leader, expect }: Attack): Promise<void> {
  const { body } = await blackBoxClient(edge.url).get<{ now: number }>('/api/time')
  const error = Math.abs(body.now - Date.now())
  expect(error < clockErrorMaxMs, () => `the edge's clock is ${error} ms away`)
  const [ofEdge, ofLeader] = await Promise.all(
    [edge, leader].map(({ url }) => readTicks(blackBoxClient(url), 'TEST')),
  )
  const shared = ofLeader?.slice(0, ofEdge?.length)
  expect(
    JSON.stringify(ofEdge?.slice(0, shared?.length)) === JSON.stringify(shared),
    () => 'the ticks differ',
  )
}
