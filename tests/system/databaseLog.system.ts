import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Order } from '../../contract/orders.ts'
import { blackBoxClient, newKey, registerMember, transactionPassword } from '../support/blackBoxClient.ts'
import type { Answer, BlackBoxClient } from '../support/blackBoxClient.ts'
import { describeWithNats, natsServer } from '../support/nats.ts'
import { openOwnPostgres, ownPostgresUnavailableReason } from '../support/ownPostgres.ts'
import type { OwnPostgres } from '../support/ownPostgres.ts'
import { productRow } from '../support/productRow.ts'
import { startVenue } from '../support/venueProcess.ts'
import type { VenueProcess } from '../support/venueProcess.ts'

const describe = await describeWithNats('databaseLog')
const folder = mkdtempSync(join(tmpdir(), 'uptick-log-'))
const productsFile = join(folder, 'products.json')
const durations = [{ seconds: 5, rateBp: 8500, min: '1.00', max: '1000.00' }]
writeFileSync(productsFile, JSON.stringify([productRow('TEST', { durations, entryTimeoutMs: 4000 })]))

let postgres: OwnPostgres
const nodes: VenueProcess[] = []
beforeAll(async () => {
  if (ownPostgresUnavailableReason() === null) postgres = await openOwnPostgres()
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')))
  await postgres?.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function start(role: 'auto' | 'edge'): VenueProcess {
  const node = startVenue([join(inject('serverBundle'), 'main.js')], {
    ROLE: role,
    DATA_DIR: join(folder, `data-${nodes.length}`),
    PRODUCTS_FILE: productsFile,
    DATABASE_URL: postgres.url,
    BUS_URL: natsServer(),
    UPLOAD_KEY: 'ab'.repeat(32),
    IDEMPOTENCY_KEY: 'cd'.repeat(32),
    LOG_KEY: 'ef'.repeat(32),
    DESK_KEY: 'a-desk-key-for-this-test-alone',
    RATE_LIMITS: 'off',
  })
  nodes.push(node)
  return node
}

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
  it.runIf(ownPostgresUnavailableReason() === null)('has no error after a busy day of trade', async () => {
    const leader = start('auto')
    const [url, edgeUrl] = [await leader.ready, await start('edge').ready]
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
    for (const node of nodes.toReversed()) await node.end('SIGTERM')
    const log = await postgres.log()
    expect(log).toContain('ready to accept connections')
    expect(log.split('\n').filter((line) => /\b(ERROR|FATAL|PANIC):/.test(line))).toEqual([])
  })
})
