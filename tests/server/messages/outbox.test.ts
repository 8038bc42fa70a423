import { expect, it } from 'vitest'
import { priceUnits } from '../../../contract/brand.ts'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import type { OrderRow } from '../../../server/db/schema/order.ts'
import { createOutbox } from '../../../server/messages/outbox.ts'
import { fillColumns, ruleColumns } from '../../../server/trading/orderRow.ts'
import { toResultMessage } from '../../../server/trading/resultMessage.ts'
import { testFence } from '../../support/testFence.ts'
import { loseCommit } from '../../support/lostConnection.ts'
import { openTestVenue } from '../../support/testVenue.ts'

const report = (): void => undefined

it('what gathers is written at the next flush, and again after one that failed', async () => {
  const database = await openMemoryDatabase()
  const venue = await openTestVenue(database)
  const member = await venue.createMember()
  let sick = true
  const messages: typeof venue.messages = {
    ...venue.messages,
    sendOnce: async (...args) => {
      if (sick) throw new Error('sick')
      return venue.messages.sendOnce(...args)
    },
  }
  const outbox = createOutbox({ db: venue.db, fence: testFence, messages, report })
  const draft = { memberId: member.id, key: 'welcome', params: {} } as const
  outbox.add(...Array.from({ length: 450 }, () => draft))
  await expect(outbox.flush()).rejects.toThrow('sick')
  sick = false
  await outbox.flush()
  await outbox.flush()
  expect(venue.bus.eventsFor(member.id, 'message')).toHaveLength(450)
  await venue.close()
  await database.close()
})

it('writes and publishes a message once if the result of the commit is unknown', async () => {
  const database = await openMemoryDatabase()
  const venue = await openTestVenue(database)
  const member = await venue.createMember()
  const failed = loseCommit(database.pool, 'insert into "message"')
  const outbox = createOutbox({ db: venue.db, fence: testFence, messages: venue.messages, report })
  const draft = { memberId: member.id, key: 'welcome', params: {} } as const
  outbox.add(draft, draft)
  await expect(outbox.flush()).rejects.toThrow('commit')
  expect(failed()).toBe(1)
  const [first] = (await venue.messages.list(member.id, { limit: 10 })).items
  await venue.messages.markRead(member.id, { ids: [first?.id ?? ''] })
  const before = venue.bus.eventsFor(member.id, 'message').length
  outbox.add(draft)
  await outbox.flush()
  await outbox.flush()
  const { items } = await venue.messages.list(member.id, { limit: 10 })
  expect(items.map(({ read }) => read)).toEqual([false, true, false])
  expect(venue.bus.eventsFor(member.id, 'message').slice(before)).toEqual(items.toReversed())
  await venue.close()
  await database.close()
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
  ...ruleColumns({ rule: 'R1' }),
  priceDecimals: 2,
  entryTimeoutMs: 10_000,
  maxTickGapMs: 15_000,
  source: 'test',
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
