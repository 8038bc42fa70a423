import { expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { changedFields, missingOrders } from '../../../../src/features/orders/signedOrder.ts'
import { receiptOf } from '../../../support/sampleReceipt.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const orderAt = (id: string, acceptedAt: number) =>
  sampleOrder({ id, acceptedAt: epochMs(acceptedAt), closeAt: epochMs(acceptedAt + 30_000) })
const receipts = new Map([1, 2, 3, 4].map((n) => [`o${n}`, receiptOf(orderAt(`o${n}`, n * 1000))] as const))

it('names every signed field in which an order differs', () => {
  const order = sampleOrder()
  const receipt = receiptOf(order)
  expect(changedFields(undefined, order)).toEqual([])
  expect(changedFields(receipt, { ...order, status: 'won', payout: '18.50', version: 3 })).toEqual([])
  const terms = { ...order.terms, maxTickGapMs: 1 }
  const changes = {
    no: '2',
    productId: 'B',
    direction: 'down',
    amount: '1.00',
    seconds: 31,
    rateBp: 1,
    terms,
  } as const
  for (const [name, value] of Object.entries(changes))
    expect(changedFields(receipt, { ...order, [name]: value })).toEqual([name])
  expect(changedFields(receipt, orderAt('o1', 5))).toEqual(['acceptedAt', 'closeAt'])
})

it.each([
  ['a complete list', ['o3'], true, 9999, ['o1', 'o2', 'o4']],
  ['the newest page of a list', ['o4', 'o2'], false, 9999, ['o3']],
  ['a list that may not have the newest order yet', ['o2'], true, 3999, ['o1', 'o3']],
  ['an empty list', [], true, 9999, ['o1', 'o2', 'o3', 'o4']],
  ['a list with all', ['o4', 'o3', 'o2', 'o1'], true, 9999, []],
])('finds the signed orders that %s lacks', (_what, listed, isComplete, until, missing) => {
  const orders = listed.map((id) => orderAt(id, Number(id[1]) * 1000))
  expect(missingOrders(receipts, orders, { isComplete, until })).toEqual(missing)
})
