import { beforeEach, expect, it } from 'vitest'
import { fillDisk } from './fullDisk.ts'
import { ledgerSum } from '../../../support/ledgerSum.ts'
import { orderRequest, placeOrder, tickOnce } from '../../../support/orders.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

let venue: TestVenue
let member: MemberClient
beforeEach(async () => {
  venue = await withVenue()
  await venue.clock.advance(1)
  tickOnce(venue)
  member = await venue.createMember()
})

const unavailable = { status: 503, code: 'UNAVAILABLE', headers: { 'retry-after': '1' } }

it('a full database refuses orders with 503 and one line in the log, and the same key places the order later', async () => {
  const makeSpace = await fillDisk(venue.database, 'orders')
  const key = venue.random.uuid()
  const request = orderRequest(venue)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await member.post('/orders', request, key)).toMatchObject(unavailable)
    expect(await member.post('/orders', orderRequest(venue))).toMatchObject(unavailable)
  }
  expect(venue.reportedErrors).toEqual([
    expect.stringMatching(
      /^the database has no space left on its disk \(53100\), first at: placing failed; what fails .+$/,
    ),
  ])
  await makeSpace()
  expect(await member.post('/orders', request, key)).toMatchObject({ status: 201, replayed: false })
  await placeOrder(venue, member)
  const { rows } = await venue.database.pool.query('SELECT count(*)::int AS orders FROM orders')
  expect(rows).toEqual([{ orders: 2 }])
  expect(await ledgerSum(venue.database)).toBe(0)
})

it('so do the calls that move money otherwise, and those of the desk', async () => {
  const makeSpace = await fillDisk(venue.database, 'deposit')
  expect(await member.post('/deposits', { amount: '500.00', methodId: 'practice' })).toMatchObject(
    unavailable,
  )
  await makeSpace()
  await fillDisk(venue.database, 'audit')
  expect(await venue.office('POST', '/codes', { body: {} })).toMatchObject(unavailable)
  expect(venue.reportedErrors).toHaveLength(1)
})
