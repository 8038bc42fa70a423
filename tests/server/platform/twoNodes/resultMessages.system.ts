import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import { orderRequest, runMarket, tickOnce } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTwoNodes } from '../../../support/twoNodes.ts'
import { withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('two_nodes_messages')

/** Final orders that a node which starts now would tell nobody about. */
const forgotten = sql`
  SELECT o.id FROM orders o WHERE o.settled_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM message m WHERE m.link LIKE '%' || o.id)
  AND NOT EXISTS (SELECT FROM result_outbox b WHERE b.order_ids ? o.id)`

postgres.describe('result messages of nodes on one database', () => {
  it('survive a kill right after the result, and are written once although several nodes write them', async () => {
    const { a, b, close } = await openTwoNodes(postgres.database())
    await a.clock.advance(1)
    tickOnce(a)
    const member = await a.createMember()
    // What is stored at the instant at which the node learns that orders are final, and could be killed.
    const atResult: Promise<unknown[]>[] = []
    a.engine.processor.onSettled(() => void atResult.push(a.db.execute(forgotten).then(({ rows }) => rows)))
    for (let i = 0; i < 12; i++) {
      expect((await member.post('/orders', orderRequest(a))).status).toBe(201)
      await runMarket(a, 100)
    }
    await runMarket(a, 29_500)
    const third = await withVenue({
      database: postgres.database(),
      clock: a.clock,
      market: a.market,
      secrets: a.secrets,
    })
    await runMarket(a, 5000)
    expect((await Promise.all(atResult)).flat()).toEqual([])
    expect(atResult.length).toBeGreaterThan(1)
    const messages = (await b.messages.list(member.id, { limit: 50 })).items
    expect(messages.map(({ link }) => link)).toHaveLength(12)
    expect(new Set(messages.map(({ link }) => link)).size).toBe(12)
    const published = [a, b, third].flatMap((node) => node.bus.eventsFor<Message>(member.id, 'message'))
    expect(published.map(({ id }) => id).toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
    await third.close()
    await close()
    expect([a, b, third].flatMap((node) => node.reportedErrors)).toEqual([])
  })
})
