import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '../../contract/orders.ts'
import {
  blackBoxClient,
  newKey,
  registerMember,
  transactionPassword,
  type Answer,
  type BlackBoxClient,
} from '../support/blackBoxClient.ts'
import { describeWithNats } from '../support/nats.ts'
import { openOwnNodes, type OwnNodes } from '../support/ownNodes.ts'
import { ownPostgresUnavailableReason } from '../support/ownPostgres.ts'

const describe = await describeWithNats('databaseLog')
const isAvailable = ownPostgresUnavailableReason() === null

let nodes: OwnNodes
beforeAll(async () => {
  if (!isAvailable) return
  const durations = [{ seconds: 5, rateBp: 8500, min: '1.00', max: '1000.00' }]
  nodes = await openOwnNodes({ durations, entryTimeoutMs: 4000 })
})
afterAll(() => nodes?.close())

const members = 8
const ordersEach = 40

/** A member trades at both nodes; each order is sent twice at once with one key, as by a client whose answer was lost. */
async function trade(here: BlackBoxClient, there: BlackBoxClient): Promise<Order[]> {
  const placed: Order[] = []
  for (let n = 0; n < ordersEach; n += 1) {
    const { body: time } = await here.get<{ now: number }>('/api/time')
    const terms = { productId: 'TEST', amount: '1.00', seconds: 5, rateBp: 8500 }
    const order = { ...terms, direction: n % 2 === 0 ? 'up' : 'down', validUntil: time.now + 20_000 }
    const key = newKey()
    const answers: Answer<Order>[] = await Promise.all(
      [here, there].map((client) => client.postWithKey<Order>('/api/orders', order, key)),
    )
    expect(answers.map(({ status, text }) => (status === 201 ? status : text))).toEqual([201, 201])
    expect(answers[1]?.body.id).toBe(answers[0]?.body.id)
    placed.push(...answers.slice(0, 1).map(({ body }) => body))
  }
  return placed
}

describe('the log of PostgreSQL', () => {
  it.runIf(isAvailable)('has no error after a busy day of trade', async () => {
    const leader = nodes.start('auto')
    const url = await leader.ready
    const edge = nodes.start('edge')
    const edgeUrl = await edge.ready
    const clients: BlackBoxClient[] = []
    for (let i = 0; i < members; i += 1)
      clients.push(await registerMember(url, `trader_${i}00`, `1380013800${i}`))
    const taken = { account: 'trader_000', phone: '13900138000', openingCode: 'UPTICK' }
    expect((await clients[0]?.call('POST', '/api/auth/register/check', { body: taken }))?.status).toBe(409)
    await blackBoxClient(url).login('trader_000', 'wrong')
    const traded = await Promise.all(
      clients.map(async (here) => {
        const there = blackBoxClient(edgeUrl, here.session)
        const orders = await trade(here, there)
        const key = newKey()
        const both = [here, there].map((client) =>
          client.postWithKey('/api/fund/deposits', { amount: '100.00' }, key),
        )
        const deposit = here.postWithKey('/api/deposits', { amount: '500.00', methodId: 'practice' })
        expect((await Promise.all([...both, deposit])).map(({ status }) => status)).toEqual([201, 201, 201])
        const fast = { amount: '1.00', mode: 'fast', transactionPassword }
        // The share has not earned yet: a rejection is ordinary too.
        expect((await there.postWithKey('/api/fund/withdrawals', fast)).status).toBe(422)
        return { here, orders }
      }),
    )
    expect(traded.flatMap(({ orders }) => orders)).toHaveLength(members * ordersEach)
    for (const { here, orders } of traded) {
      const last = `/api/orders/${orders.at(-1)?.id}`
      await expect
        .poll(async () => (await here.get<Order>(last)).body.status)
        .toMatch(/won|lost|tied|refunded/)
    }
    await edge.end('SIGTERM')
    await leader.end('SIGTERM')
    const log = await nodes.postgres.log()
    expect(log).toContain('ready to accept connections')
    expect(log.split('\n').filter((line) => /\b(ERROR|FATAL|PANIC):/.test(line))).toEqual([])
  })
})
