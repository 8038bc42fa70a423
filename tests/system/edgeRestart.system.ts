import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openCluster } from '../scenarios/cluster/cluster.ts'
import { openTrader, rateBp, seconds } from '../scenarios/kill/trader.ts'
import { openBalancer } from './balancer.ts'
import { freePort } from '../support/otherPrograms.ts'
import { testSeed } from '../support/testSeed.ts'
import { serverBundle } from '../support/serverBundle.ts'

const everyMs = 25
/** On a busy machine orders wait for each other; without a bound more of them would wait with each second. */
const inFlightMax = 20

it('edges behind a balancer are restarted one after the other, and no POST fails', async () => {
  const main = join(serverBundle(), 'main.js')
  const cluster = await openCluster({ main, seed: testSeed(), feed: 'synthetic' })
  const ports = [await freePort(), await freePort()]
  const balancer = await openBalancer(ports)
  try {
    await cluster.startCandidate()
    for (const port of ports) await cluster.startEdge(port)
    const trader = await openTrader(balancer.url, 'trader_1', '13800000001')
    const answers: string[] = []
    const state = { isEnding: false }
    const place = async (): Promise<void> => {
      const validUntil = Date.now() + 20_000
      const order = { productId: 'TEST', direction: 'up', amount: '1.00', seconds, rateBp, validUntil }
      const { status, text } = await trader.client().postWithKey('/api/orders', order)
      answers.push(status === 201 ? 'placed' : `${status} ${text}`)
    }
    const trading = (async (): Promise<void> => {
      const inFlight = new Set<Promise<void>>()
      while (!state.isEnding) {
        const one = place().finally(() => inFlight.delete(one))
        inFlight.add(one)
        if (inFlight.size >= inFlightMax) await Promise.race(inFlight)
        await wait(everyMs)
      }
      await Promise.all(inFlight)
    })()
    for (const port of ports) {
      const edge = cluster.edges().find(({ url }) => url.endsWith(`:${port}`))
      await edge?.end('SIGTERM')
      const before = balancer.answered(port)
      await cluster.startEdge(port)
      // Before the other one goes, as `/healthz` says to an operator.
      await expect.poll(() => balancer.answered(port)).toBeGreaterThan(before + 20)
    }
    state.isEnding = true
    await trading
    expect(answers.filter((answer) => answer !== 'placed')).toEqual([])
    expect(answers.length).toBeGreaterThan(100)
  } finally {
    await balancer.close()
    await cluster.close()
  }
})
