import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Order } from '../../../contract/orders.ts'
import {
  blackBoxClient,
  newKey,
  password,
  registerMember,
  type BlackBoxClient,
} from '../../support/blackBoxClient.ts'
import { deskKey, openCluster } from '../cluster/cluster.ts'
import { findings, type Findings } from '../findings.ts'
import { rateBp, seconds } from '../kill/trader.ts'

/** What was ended at one node may be used at another one for so long. */
const usedMaxMs = 1000
const watchedMs = 2500
const bodyAfterMs = 800

const order = (): object => ({
  productId: 'TEST',
  direction: 'up',
  amount: '1.00',
  seconds,
  rateBp,
  validUntil: Date.now() + 20_000,
})

/** Sessions that one node ends are used at another one, at once and with a body that comes late. */
export async function useEndedSessions(main: string, seed: number): Promise<Findings & { note: string }> {
  const cluster = await openCluster({ main, feed: 'synthetic', seed })
  const { found, expect } = findings()
  const lastedMs: number[] = []
  try {
    const leader = await cluster.startCandidate()
    const edge = await cluster.startEdge()
    const desk = (path: string, body?: object) =>
      blackBoxClient(leader.url).call('POST', `/desk${path}`, {
        body,
        headers: { authorization: `Bearer ${deskKey}` },
      })
    const endings: Record<
      string,
      (member: BlackBoxClient, id: string) => Promise<{ status: number; text: string }>
    > = {
      'log-out': (member) => member.call('POST', '/api/auth/logout'),
      'a denied log-in': async (member) => {
        const { body } = await member.get<{ items: { id: string }[] }>('/api/auth/logins')
        return member.call('POST', `/api/auth/logins/${body.items[0]?.id}/deny`)
      },
      'a new password': async (member) => {
        // It ends every session but that which asks for it.
        const owner = blackBoxClient(leader.url)
        const { body: me } = await member.get<{ account: string }>('/api/me')
        await owner.login(me.account, password)
        const newPassword = `${password}-new`
        const change = { kind: 'login', oldPassword: password, newPassword, confirmPassword: newPassword }
        const { body } = await owner.call<{ id: string }>('POST', '/api/auth/password-requests', {
          body: change,
        })
        return desk(`/password-requests/${body.id}/approve`)
      },
      'the desk': (_member, id) => desk(`/members/${id}/end-sessions`),
      'a freeze': (_member, id) =>
        desk(`/members/${id}/freeze`, { reason: 'theft_reported', tellMember: true }),
    }
    for (const [i, [what, end]] of Object.entries(endings).entries()) {
      for (const isLate of [false, true]) {
        const name = `ended_${i}_${isLate ? 'late' : 'soon'}`
        const member = await registerMember(leader.url, name, `138000001${i}${Number(isLate)}`)
        const { body: me } = await member.get<{ id: string }>('/api/me')
        const thief = blackBoxClient(edge.url, member.session)
        const ending = async (): Promise<void> => {
          const { status, text } = await end(member, me.id)
          if (status >= 300) throw new Error(`${what}: ${text}`)
        }
        if (isLate) {
          const status = await placeLate(thief, edge.url, ending)
          expect(status !== 201, () => `${what}: an order was accepted whose body came afterwards`)
        } else {
          const lasted = await placeWhile(thief, ending)
          lastedMs.push(lasted)
          expect(lasted <= usedMaxMs, () => `${what}: orders were accepted for ${lasted} ms at another node`)
        }
      }
    }
    return { ...found, note: `used for ${Math.max(...lastedMs)} ms at most` }
  } finally {
    await cluster.close()
  }
}

/** @returns for how many ms after the answer of the call that ends the session an order was accepted */
async function placeWhile(thief: BlackBoxClient, end: () => Promise<void>): Promise<number> {
  const state = { endedAt: Number.POSITIVE_INFINITY, acceptedAt: 0 }
  const first = await thief.postWithKey<Order>('/api/orders', order())
  if (first.status !== 201) throw new Error(first.text)
  const lane = async (): Promise<void> => {
    while (Date.now() < state.endedAt + watchedMs) {
      const sentAt = Date.now()
      const { status } = await thief.postWithKey<Order>('/api/orders', order())
      if (status === 201) state.acceptedAt = Math.max(state.acceptedAt, sentAt)
    }
  }
  const lanes = Promise.all([lane(), lane()])
  await wait(200)
  await end()
  state.endedAt = Date.now()
  await lanes
  return Math.max(0, state.acceptedAt - state.endedAt)
}

/** Sends the head of an order, ends the session, then sends the body. */
async function placeLate(
  { session }: BlackBoxClient,
  url: string,
  end: () => Promise<void>,
): Promise<number> {
  const body = JSON.stringify(order())
  const sent = request(`${url}/api/orders`, {
    method: 'POST',
    headers: {
      cookie: session.cookie,
      'x-csrf-token': session.token,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': newKey(),
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
  })
  sent.flushHeaders()
  await wait(bodyAfterMs)
  await end()
  await wait(usedMaxMs)
  sent.end(body)
  return answered
}
