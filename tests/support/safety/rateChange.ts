import { isDeepStrictEqual } from 'node:util'
import type { Order } from '../../../contract/orders.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { manualClock } from '../clock.ts'
import { productRow, walk } from '../productRow.ts'
import { newcomer, stranger } from '../stranger.ts'
import { openWholeVenue, scratchFolder } from '../venue.ts'

const tableWith = (rateBp: number) => [
  productRow('WALK', {
    durations: [{ seconds: 20, rateBp, min: '1.00', max: '500.00' }],
    maxTickGapMs: 60_000,
    entryTimeoutMs: 3000,
    feed: walk({ seed: 5 }),
  }),
]

/** Orders are open while the venue starts again with another rate: each must end by the one that it was accepted at. */
export async function rateChange(orders: number): Promise<{ tried: number; faults: string[] }> {
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
  const faults: string[] = []
  let venue = await open(8000)
  try {
    const member = await newcomer(venue.url, 'keeps_rate', '13800000009')
    await clock.advance(2000)
    const placed: Order[] = []
    for (let i = 0; i < orders; i++) {
      const intent = {
        productId: 'WALK',
        amount: '10.00',
        seconds: 20,
        rateBp: 8000,
        validUntil: clock.now() + 9000,
      }
      const { body } = await member.pay<Order>('/api/orders', { ...intent, direction: i % 2 ? 'up' : 'down' })
      placed.push(body)
    }
    await clock.advance(3000)
    await venue.close()
    venue = await open(9000)
    const again = Object.assign(stranger(venue.url), { session: member.session })
    const { cookie } = member.session
    await clock.advance(20_000)
    for (const before of placed) {
      const { body } = await again.call<Order>('GET', `/api/orders/${before.id}`, { headers: { cookie } })
      const kept = ({ rateBp, terms, closeAt, amount }: Order) => ({ rateBp, terms, closeAt, amount })
      const paid = body.status === 'won' ? '18.00' : body.status === 'lost' ? '0.00' : '10.00'
      if (!isDeepStrictEqual(kept(body), kept(before)) || body.payout !== paid) {
        faults.push(`${JSON.stringify(before)} → ${JSON.stringify(body)}`)
      }
    }
    return { tried: placed.length, faults }
  } finally {
    await venue.close()
    await database.close()
    await folder.remove()
  }
}
