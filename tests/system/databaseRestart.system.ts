import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '../../contract/orders.ts'
import { registerMember } from '../support/blackBoxClient.ts'
import { describeWithNats } from '../support/nats.ts'
import { openOwnNodes, type OwnNodes } from '../support/ownNodes.ts'
import { ownPostgresUnavailableReason } from '../support/ownPostgres.ts'
import type { VenueProcess } from '../support/venueProcess.ts'

const describe = await describeWithNats('databaseRestart')
const isAvailable = ownPostgresUnavailableReason() === null

let nodes: OwnNodes
beforeAll(async () => {
  if (isAvailable) nodes = await openOwnNodes()
})
afterAll(() => nodes?.close())

const databaseLines = (node: VenueProcess): string[] =>
  node
    .output()
    .split('\n')
    .filter((line) => line.includes('PostgreSQL at 127.0.0.1:'))

describe('while PostgreSQL is away', () => {
  it.runIf(isAvailable)(
    'an edge answers 503, says once what is wrong and once that it is over, and takes orders again',
    async () => {
      const leader = nodes.start('auto')
      await leader.ready
      const edge = nodes.start('edge')
      const member = await registerMember(await edge.ready, 'member_001', '13800138001')
      await nodes.postgres.stop('fast')
      expect(await leader.exited).toBe(1)
      for (let n = 0; n < 20; n += 1) {
        const { status, code, headers } = await member.get('/api/orders')
        expect([status, code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1'])
      }
      await expect.poll(() => databaseLines(edge).join('\n')).toContain('refuses connections (ECONNREFUSED)')

      // A supervisor starts the leader again, while the server is still away: it waits.
      const next = nodes.start('auto')
      await expect.poll(() => next.output()).toContain('refuses connections (ECONNREFUSED): waiting for it')
      await nodes.postgres.start()
      await next.ready
      await expect.poll(() => databaseLines(edge).at(-1)).toContain('works again, after')
      const { body } = await member.get<{ now: number }>('/api/time')
      const terms = { productId: 'TEST', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
      const order = { ...terms, validUntil: body.now + 20_000 }
      await expect
        .poll(async () => (await member.postWithKey<Order>('/api/orders', order)).status, { interval: 500 })
        .toBe(201)
      // Its sessions ended, then it was gone, and then it was back: nothing else, however much failed.
      const lines = databaseLines(edge)
      expect(lines.length).toBeLessThanOrEqual(3)
      expect(lines.filter((line) => line.includes('refuses connections'))).toHaveLength(1)
      expect(lines.filter((line) => line.includes('works again'))).toHaveLength(1)
      expect(edge.output()).not.toContain('"fault"')
      await edge.end('SIGTERM')
      await next.end('SIGTERM')
    },
  )
})

describe('a planned stop', () => {
  it.runIf(isAvailable).each([1, 2, 3])('of all nodes at once ends each with 0: round %i', async () => {
    const leader = nodes.start('auto')
    await leader.ready
    const others = [nodes.start('auto'), nodes.start('edge')]
    await Promise.all(others.map((node) => node.ready))
    const all = [leader, ...others]
    await Promise.all(all.map((node) => node.end('SIGTERM')))
    expect(await Promise.all(all.map((node) => node.exited))).toEqual([0, 0, 0])
    for (const node of all) expect(node.output()).not.toMatch(/"fatal"|before its last writes/)
  })

  it.runIf(isAvailable)('of a leader whose lease is gone says so and ends with 0', async () => {
    const leader = nodes.start('all')
    await leader.ready
    const client = new Client(nodes.postgres.url)
    await client.connect()
    leader.signal('SIGSTOP')
    await client.query('UPDATE lease SET term = term + 1')
    await client.end()
    const ended = leader.end('SIGTERM')
    leader.signal('SIGCONT')
    await ended
    expect(leader.output()).toContain('uptick: stopped before its last writes: term ')
    expect(leader.output()).not.toContain('"fatal"')
    expect(await leader.exited).toBe(0)
  })
})
