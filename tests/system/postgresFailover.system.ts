import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCluster } from '../scenarios/cluster/cluster.ts'
import { driveFaults } from '../scenarios/cluster/faults.ts'
import { noViolations } from '../scenarios/kill/moneyCheck.ts'
import { openTrader, rateBp, seconds } from '../scenarios/kill/trader.ts'
import { openPostgresPair } from '../support/postgresPair.ts'
import { testSeed } from '../support/testSeed.ts'
import { serverBundle } from '../support/serverBundle.ts'

const main = join(serverBundle(), 'main.js')

it('loses and doubles nothing when PostgreSQL is lost under load and its synchronous replica is promoted, twice', async () => {
  const { tried, acknowledged, settled, violations, ...report } = await driveFaults({
    main,
    seed: testSeed(),
    rate: 20,
    openMax: 8,
    feed: 'synthetic',
    faults: ['failover', 'failover'],
    candidates: 2,
    edges: 2,
    sockets: 4,
  })
  expect(violations).toEqual(noViolations())
  expect(report).toMatchObject({ gaps: 0, missing: 0, doubled: 0, lostSockets: 0 })
  expect(tried).toEqual({ failover: 2 })
  expect([acknowledged, settled].every((count) => count > 60)).toBe(true)
})

it('goes on by itself when the machine of PostgreSQL is gone without a word, and its replica has the address', async () => {
  const pair = await openPostgresPair()
  const cluster = await openCluster({ main, seed: testSeed(), feed: 'synthetic', server: pair.url })
  try {
    const leader = await cluster.startCandidate()
    await cluster.startCandidate()
    const edge = await cluster.startEdge()
    const trader = await openTrader(edge.url, 'trader_1', '13800000001')
    const place = async (): Promise<number> => {
      const validUntil = Date.now() + 20_000
      const order = { productId: 'TEST', direction: 'up', amount: '1.00', seconds, rateBp, validUntil }
      return (await trader.client().postWithKey('/api/orders', order)).status
    }
    await expect.poll(place).toBe(201)
    await pair.failOver(true)
    expect(await leader.exited).toBe(1)
    await expect.poll(async () => (await fetch(`${edge.url}/healthz`)).status).toBe(200)
    await expect.poll(place).toBe(201)
    expect(cluster.edges()).toEqual([edge])
  } finally {
    await cluster.close()
    await pair.close()
  }
})
