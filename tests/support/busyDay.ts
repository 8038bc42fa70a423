import { moneyOf } from '../../contract/money.ts'
import type { Direction, Order } from '../../contract/orders.ts'
import { dayMs } from '../../contract/time.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { proofRanges } from '../../server/trading/orders/proofRanges.ts'
import { createFundMember } from './fundMember.ts'
import { manualClock } from './manualClock.ts'
import { openMarket, syntheticProduct, withSeconds } from './marketFixtures.ts'
import { transactionPassword } from './testMembers.ts'
import { placeOrder } from './orders.ts'
import { openTestVenue } from './testVenue.ts'

const seconds = 20

/**
 * A venue on its own market with everything that moves money, over four business days: orders that are settled, refunded
 * and open, deposits, withdrawals that are paid, cancelled and open, and transfers of the fund with days that earned.
 */
export async function openBusyDay(database: Database) {
  const clock = manualClock()
  const market = await openMarket(database.db, clock, [withSeconds(syntheticProduct('FAST', 20), seconds)], {
    everyMs: 500,
    proofRanges: (id, before) => proofRanges(database.db, id, before),
  })
  const venue = await openTestVenue(database, { clock, market })
  await clock.advance(1000)
  const trader = await venue.createVerifiedMember(moneyOf('1000.00'))
  const place = async (direction: Direction): Promise<Order> =>
    placeOrder(venue, await venue.openSession(trader.id), { productId: 'FAST', direction, seconds })
  const succeed = async (request: Promise<{ status: number; text: string }>): Promise<void> => {
    const { status, text } = await request
    if (status >= 300) throw new Error(text)
  }
  const settled = [await place('up'), await place('down')]
  await clock.advance(seconds * 1000 + 2000)
  await venue.trading.idle()

  const account = await trader.get<{ account: { id: string } }>('/withdrawal-account')
  await succeed(trader.post('/deposits', { amount: '500.00', methodId: 'practice' }))
  const reviewed = { amount: '60.00', methodId: 'practice-review' }
  const { id: never } = (await trader.post<{ id: string }>('/deposits', reviewed)).body
  await venue.deposits.office.credit(never, 'x')
  await venue.deposits.office.reverse(never, 'it never came', 'y', async () => undefined)
  const withdraw = async (amount: string): Promise<string> => {
    const request = { amount, accountId: account.body.account.id, transactionPassword }
    const reply = await trader.post<{ id: string }>('/withdrawals', request)
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body.id
  }
  const [paid, cancelled] = [await withdraw('20.00'), await withdraw('30.00')]
  await withdraw('40.00')
  await succeed(venue.office('POST', `/withdrawals/${paid}/approve`, { body: {} }))
  await succeed(trader.post(`/withdrawals/${cancelled}/cancel`))

  const saver = await createFundMember(venue, moneyOf('20000.00'))
  await succeed(saver.deposit('10000.00'))
  // An order that no tick after the jump can settle.
  const refunded = await place('up')
  await clock.jumpBy(3 * dayMs)
  await clock.advance(2000)
  await succeed(saver.withdraw('1000.00', 'fast'))
  await succeed(saver.withdraw('2000.00', 'standard'))
  await succeed(saver.deposit('300.00'))
  await clock.jumpBy(dayMs)
  await clock.advance(2000)
  await saver.view()
  return { venue, trader, saver, settled, refunded, place }
}
