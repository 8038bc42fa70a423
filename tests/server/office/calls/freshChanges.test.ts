import { expect, it } from 'vitest'
import type { SecurityChange } from '../../../../contract/office/memberFacts.ts'
import { dayMs, hourMs } from '../../../../contract/time.ts'
import { freshChangesOf } from '../../../../server/office/calls/freshChanges.ts'

const createdAt = 100 * dayMs

it.each<[string, SecurityChange, number, number | null, boolean]>([
  ['of the password, since the last payment', 'login_password', 10 * dayMs, 20 * dayMs, true],
  ['of the password, before any payment', 'login_password', 29 * dayMs, null, true],
  ['before the last payment', 'login_password', 21 * dayMs, 20 * dayMs, false],
  ['more than 30 days ago', 'login_password', 30 * dayMs, null, false],
  ['of the device today', 'new_device', hourMs, null, true],
  ['of the device two days ago', 'new_device', 2 * dayMs, null, false],
  ['after the withdrawal was asked for', 'withdrawal_account', -hourMs, null, true],
])('a change %s', (_, what, before, paidBefore, isFresh) => {
  const changes = [{ what, at: createdAt - before }]
  const lastPaidAt = paidBefore === null ? null : createdAt - paidBefore
  expect(freshChangesOf({ createdAt }, { changes, lastPaidAt })).toEqual(isFresh ? changes : [])
})
