import { expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import type { PriceAlert } from '../../../../contract/priceAlerts.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTwoNodes } from '../../../support/twoNodes.ts'
import { withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('two_nodes_alerts')

postgres.describe('price alerts of nodes on one database', () => {
  it('are reported once although several nodes judge them, also one that takes over', async () => {
    const { a, b, close } = await openTwoNodes(postgres.database())
    await a.clock.advance(1)
    a.market.flushPrices({ TEST: [10_000] })
    const member = await a.createMember()
    for (let i = 1; i <= 12; i++) {
      const alert = {
        productId: 'TEST',
        kind: i % 2 ? 'above' : 'below',
        price: `${i % 2 ? 100 + i : 100 - i}.00`,
      }
      expect((await (i % 3 ? member : b.clientOf(member)).post('/price-alerts', alert)).status).toBe(201)
    }
    // Each node takes up what the other one has created.
    await a.clock.advance(1001)
    a.market.flushPrices({ TEST: [10_500, 9_700] })
    await a.clock.advance(60_000)
    const { clock, market, secrets } = a
    const third = await withVenue({ database: postgres.database(), clock, market, secrets })
    a.market.flushPrices({ TEST: [20_000, 1_000] })
    const nodes = [a, b, third]
    const alertMessages = async (): Promise<Message[]> =>
      (await b.messages.list(member.id, { limit: 100 })).items.filter(({ key }) => key === 'priceAlert')
    await expect.poll(async () => (await alertMessages()).length).toBe(12)
    await clock.advance(1001)
    const prices = (await alertMessages()).map(({ params }) => String(params['price']))
    expect(new Set(prices).size).toBe(12)
    const published = nodes.flatMap((node) => node.bus.eventsFor<Message>(member.id, 'message'))
    expect(published.map(({ id }) => id).toSorted()).toEqual(
      (await alertMessages()).map(({ id }) => id).toSorted(),
    )
    const reached = nodes.flatMap((node) => node.bus.eventsFor<PriceAlert>(member.id, 'alert'))
    expect(reached.filter(({ status }) => status === 'reached')).toHaveLength(12)
    await third.close()
    await close()
    expect(nodes.flatMap((node) => node.reportedErrors)).toEqual([])
  })
})
