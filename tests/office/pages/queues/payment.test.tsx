// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { approvedWithdrawal, listed } from '../../../support/officeRequests.ts'
import {
  alerts,
  click,
  enter,
  field,
  openOffice,
  press,
  refused,
  text,
} from '../../../support/officeSetup.tsx'

const shared = 'One bank transfer paid both this withdrawal and W-261123-0001.'
const paid = { ...approvedWithdrawal, status: 'successful' as const }

/** Each reference but the last was used. */
const openPayment = () =>
  openOffice('/payments/w1', {
    'queues.show': { items: [listed('w1')], nextCursor: null },
    'withdrawals.show': approvedWithdrawal,
    'withdrawals.pay': ({ body }) =>
      body.sharedTransfer || body.reference === 'NEW'
        ? paid
        : refused(409, 'REFERENCE_USED', { params: { no: 'W-261123-0001' } }),
  })

it('a reference that another withdrawal has is refused with its number, and needs a tick', async () => {
  const desk = await openPayment()
  await press('p')
  await enter('Bank reference', 'BK12345')
  await press('Enter')
  expect(alerts()).toContain('The withdrawal W-261123-0001 was already paid with this bank reference')
  // The second Enter is not the tick.
  await press('Enter')
  const sent = [['withdrawals.pay', 'w1', { reference: 'BK12345' }]]
  expect(desk.acts()).toEqual(sent)
  expect(document.activeElement).toBe(field(shared))
  await click(shared)
  await press('Enter')
  expect(desk.acts().slice(0, 2)).toEqual([
    ...sent,
    ['withdrawals.pay', 'w1', { reference: 'BK12345', sharedTransfer: true }],
  ])
})

it('another reference needs no tick', async () => {
  const desk = await openPayment()
  await press('p')
  await enter('Bank reference', 'BK12345')
  await press('Enter')
  await enter('Bank reference', 'NEW')
  expect(text('[role=dialog]')).not.toContain(shared)
  await press('Enter')
  expect(desk.acts()[1]).toEqual(['withdrawals.pay', 'w1', { reference: 'NEW' }])
})
