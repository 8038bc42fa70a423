import { afterAll, beforeAll, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import { dayMs } from '../../../../contract/time.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const postgres = await withPostgres('request_limits')
const asked = { amount: '5.00', transactionPassword }
const review = { methodId: 'practice-review', amount: '5.00' }

postgres.describe('what one member may put into a queue', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), { operatorConfig: { withdrawalMin: '5.00' } })
  })
  afterAll(() => venue.close())

  it('is five deposits under review at once, and twenty in 24 hours', async () => {
    const member = await venue.createMember()
    const placed = await Promise.all(
      Array.from({ length: 8 }, () => member.post<Deposit>('/deposits', review)),
    )
    const open = placed.filter(({ status }) => status === 201)
    expect(open).toHaveLength(5)
    expect(placed.find(({ status }) => status !== 201)).toMatchObject({
      status: 422,
      code: 'TOO_MANY_OPEN',
      params: { max: 5 },
    })
    // Those that are credited at once wait for nobody.
    expect((await member.post('/deposits', { methodId: 'practice', amount: '5.00' })).status).toBe(201)
    const { office } = venue.deposits
    for (const { body } of open) await office.reject(body.id, 'no', 'mei')
    for (let i = 0; i < 15; i += 1) {
      const { body } = await member.post<Deposit>('/deposits', review)
      await office.reject(body.id, 'no', 'mei')
    }
    const refused = await member.post('/deposits', review)
    expect(refused).toMatchObject({ status: 422, code: 'TOO_MANY_TODAY', params: { max: 20 } })
    venue.clock.leap(dayMs + 1)
    const later = await venue.openSession(member.id)
    expect((await later.post('/deposits', review)).status).toBe(201)
  })

  it('counts deposits that wait for a second person', async () => {
    const member = await venue.createMember()
    const place = () => member.post<Deposit>('/deposits', review)
    for (let i = 0; i < 5; i += 1) await venue.deposits.office.credit((await place()).body.id, 'mei')
    expect(await place()).toMatchObject({ status: 422, code: 'TOO_MANY_OPEN', params: { max: 5 } })
  })

  it('is ten withdrawals under review at once, and twenty in 24 hours, of the smallest amount at least', async () => {
    const member = await venue.createVerifiedMember(minor(50_000))
    expect(await member.post('/withdrawals', { ...asked, amount: '4.99' })).toMatchObject({
      status: 400,
      fields: { amount: 'AMOUNT_MIN' },
    })
    const place = () => member.post<Withdrawal>('/withdrawals', asked)
    const placed = await Promise.all(Array.from({ length: 14 }, place))
    const open = placed.filter(({ status }) => status === 201)
    expect(open).toHaveLength(10)
    expect(placed.find(({ status }) => status !== 201)).toMatchObject({
      code: 'TOO_MANY_OPEN',
      params: { max: 10 },
    })
    for (const { body } of open) await member.post(`/withdrawals/${body.id}/cancel`)
    for (let i = 0; i < 10; i += 1) await member.post(`/withdrawals/${(await place()).body.id}/cancel`)
    expect(await place()).toMatchObject({ status: 422, code: 'TOO_MANY_TODAY', params: { max: 20 } })
  })
})
