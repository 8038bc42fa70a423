import { beforeEach, describe, expect, it } from 'vitest'
import { priceUnits } from '../../../../contract/units.ts'
import type { Message } from '../../../../contract/content.ts'
import type { Db } from '../../../../server/platform/db/database.ts'
import { orders, resultOutbox, type OrderRow } from '../../../../server/trading/schema.ts'
import { sharedTermsOf } from '../../../../server/market/productTerms.ts'
import { fillColumns } from '../../../../server/trading/orders/orderRow.ts'
import { createResultOutbox } from '../../../../server/trading/orders/resultOutbox.ts'
import { toResultMessage } from '../../../../server/trading/orders/resultMessage.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { loseAnswers, watchStatements } from '../../../support/lostConnection.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import { testFence } from '../../../support/testFence.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

async function firstOrder(db: Db): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).limit(1)
  return row
}

describe('result messages', () => {
  let venue: TestVenue
  let member: MemberClient
  beforeEach(async () => {
    venue = await withVenue()
    await venue.clock.advance(1)
    tickOnce(venue)
    member = await venue.createMember()
  })
  const stored = async (): Promise<Message[]> => (await venue.messages.list(member.id, { limit: 10 })).items
  const published = (): Message[] => venue.bus.eventsFor<Message>(member.id, 'message')

  it('a message about each final order is written within a second of its result, and published', async () => {
    const order = await placeOrder(venue, member)
    await runMarket(venue, 32_000)
    const [message] = await stored()
    expect(message).toMatchObject({ category: 'trade', key: 'orderSettled', read: false })
    expect(message?.link).toBe(`pages/order/detail?id=${order.id}`)
    expect(message?.at).toBe((await firstOrder(venue.db))?.settledAt)
    expect(published()).toEqual([message])
    expect(await venue.db.select().from(resultOutbox)).toEqual([])
  })

  it('writes and publishes a message once if the result of the commit is unknown', async () => {
    await placeOrder(venue, member)
    const failed = loseAnswers(venue.database.pool, 'INSERT INTO message')
    await runMarket(venue, 34_000)
    expect(failed()).toBe(1)
    expect(await stored()).toHaveLength(1)
    expect(published()).toEqual(await stored())
  })

  it('writes a message once if the engine reports the order while it is read from the database', async () => {
    const { id } = await placeOrder(venue, member)
    await runMarket(venue, 32_000)
    const { db, messages } = venue
    const row = (await firstOrder(db))!
    const report = (what: string, cause: unknown): never => {
      throw new Error(what, { cause })
    }
    const outbox = createResultOutbox({ db, fence: testFence, messages, report })
    // Listed by the leader before, which was killed.
    await db.insert(resultOutbox).values({ orderIds: [id] })
    watchStatements(venue.database.pool, 'from "orders"', async (answer) => {
      outbox.onSettled([row])
      return answer
    })
    const before = (await stored()).length
    await outbox.flush()
    expect(await stored()).toHaveLength(before + 1)
  })

  it('waits while hundreds of orders settle each second, but not for longer than five runs', async () => {
    const { id } = await placeOrder(venue, member)
    await runMarket(venue, 32_000)
    const { db, messages } = venue
    const row = (await firstOrder(db))!
    const report = (what: string, cause: unknown): never => {
      throw new Error(what, { cause })
    }
    const outbox = createResultOutbox({ db, fence: testFence, messages, report })
    const [job] = outbox.jobs!
    const before = (await stored()).length
    const runAfter = async (settled: number): Promise<number> => {
      outbox.onSettled(Array.from({ length: settled }, () => row))
      await job!.run()
      return (await stored()).length - before
    }
    await db.insert(resultOutbox).values({ orderIds: [id] })
    const inBurst = [await runAfter(500), await runAfter(5000), await runAfter(499)]
    expect(inBurst).toEqual([0, 0, 1])
    await db.insert(resultOutbox).values({ orderIds: [id] })
    const endless: number[] = []
    for (let run = 0; run < 6; run++) endless.push(await runAfter(1000))
    expect(endless).toEqual([1, 1, 1, 1, 1, 2])
  })
})

const order: OrderRow = {
  id: 'o1',
  no: '260105-0001',
  memberId: 'm1',
  key: 'k',
  productId: 'BTCUSDT',
  direction: 'up',
  amount: 1_000,
  seconds: 60,
  rateBp: 8_500,
  ...sharedTermsOf(
    { settlement: { rule: 'R1' }, priceDecimals: 2, entryTimeoutMs: 10_000, maxTickGapMs: 15_000 },
    'test',
  ),
  acceptedAt: 0,
  validUntil: 0,
  closeAt: 60_000,
  status: 'won',
  ...fillColumns({
    entry: { seq: 1, at: 1, price: priceUnits(1) },
    exit: { seq: 2, at: 2, price: priceUnits(2) },
  }),
  settledAt: 60_001,
  payout: 1_850,
  reason: null,
  version: 3,
  headSeq: null,
  headHash: null,
  logOrigin: null,
}

it.each([
  [order, 'orderSettled', { status: 'won', pnl: '8.50' }],
  [{ ...order, status: 'lost', payout: 0 } as const, 'orderSettled', { status: 'lost', pnl: '-10.00' }],
  [{ ...order, status: 'tied', payout: 1_000 } as const, 'orderSettled', { status: 'tied', pnl: '0.00' }],
  [
    { ...order, status: 'refunded', payout: 1_000, reason: 'FEED_DOWN' } as const,
    'orderRefunded',
    { amount: '10.00', reason: 'FEED_DOWN' },
  ],
])('toResultMessage describes the result of a final order', (row, key, params) => {
  expect(toResultMessage(row)).toEqual({
    memberId: 'm1',
    key,
    params: { no: '260105-0001', productId: 'BTCUSDT', ...params },
    link: 'pages/order/detail?id=o1',
  })
})
