import { isDeepStrictEqual } from 'node:util'
import type { Order } from '../../../contract/orders.ts'
import { openMemoryDatabase } from '../../../server/platform/db/open.ts'
import { manualClock } from '../../support/manualClock.ts'
import { registerMember, blackBoxClient } from '../../support/blackBoxClient.ts'
import { openWholeVenue, scratchFolder } from '../../support/wholeVenue.ts'
import { productRow, walk } from '../../support/productRow.ts'

const tableWith = (rateBp: number) => [
  productRow('WALK', {
    durations: [{ seconds: 20, rateBp, min: '1.00', max: '500.00' }],
    maxTickGapMs: 60_000,
    entryTimeoutMs: 3000,
    feed: walk({ seed: 5 }),
  }),
]

/** Restarts the venue with another rate while orders are open: each must settle at the rate it was accepted at. */
export async function checkRateChange(orders: number): Promise<{ tried: number; violations: string[] }> {
  const database = await openMemoryDatabase()
  const folder = await scratchFolder()
  const clock = manualClock()
  const open = (rateBp: number) =>
    openWholeVenue({
      database,
      clock,
      table: tableWith(rateBp),
      recordingsDir: folder.path,
      dataDir: folder.path,
    })
  const violations: string[] = []
  let venue = await open(8000)
  try {
    const member = await registerMember(venue.url, 'keeps_rate', '13800000009')
    await clock.advance(2000)
    const placed: Order[] = []
    for (let i = 0; i < orders; i++) {
      const request = {
        productId: 'WALK',
        amount: '10.00',
        seconds: 20,
        rateBp: 8000,
        validUntil: clock.now() + 9000,
      }
      const { body } = await member.postWithKey<Order>('/api/orders', {
        ...request,
        direction: i % 2 ? 'up' : 'down',
      })
      placed.push(body)
    }
    await clock.advance(3000)
    await venue.close()
    venue = await open(9000)
    const reopened = Object.assign(blackBoxClient(venue.url), { session: member.session })
    const { cookie } = member.session
    await clock.advance(20_000)
    for (const before of placed) {
      const { body } = await reopened.call<Order>('GET', `/api/orders/${before.id}`, { headers: { cookie } })
      const termsOf = ({ rateBp, terms, closeAt, amount }: Order) => ({ rateBp, terms, closeAt, amount })
      const paid = body.status === 'won' ? '18.00' : body.status === 'lost' ? '0.00' : '10.00'
      if (!isDeepStrictEqual(termsOf(body), termsOf(before)) || body.payout !== paid) {
        violations.push(`${JSON.stringify(before)} → ${JSON.stringify(body)}`)
      }
    }
    return { tried: placed.length, violations }
  } finally {
    await venue.close()
    await database.close()
    await folder.remove()
  }
}
