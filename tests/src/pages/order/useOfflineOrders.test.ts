import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { offlineOrderList } from '../../../../src/pages/order/useOfflineOrders.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const won = { value: sampleOrder({ id: 'won', status: 'won' }), at: 900 }
const open = { value: sampleOrder({ id: 'open', status: 'open', productId: 'B' }), at: 300 }

describe('offlineOrderList', () => {
  it('contains the orders that belong to the tab', () => {
    const ids = (tab: 'records' | 'positions' | 'closed', filters = {}) =>
      offlineOrderList([won, open], tab, filters)?.value.map(({ id }) => id)
    expect(ids('records')).toEqual(['won', 'open'])
    expect(ids('positions')).toEqual(['open'])
    expect(ids('closed')).toEqual(['won'])
    expect(ids('records', { productId: 'B' })).toEqual(['open'])
    expect(ids('closed', { productId: 'B' })).toEqual([])
  })

  it('is sorted like the venue’s list', () => {
    const short = {
      value: sampleOrder({ id: 'short', acceptedAt: epochMs(2), status: 'won', settledAt: epochMs(50) }),
      at: 1,
    }
    const long = {
      value: sampleOrder({ id: 'long', acceptedAt: epochMs(1), status: 'won', settledAt: epochMs(100) }),
      at: 1,
    }
    expect(offlineOrderList([short, long], 'closed', {})?.value.map(({ id }) => id)).toEqual([
      'long',
      'short',
    ])
  })

  it('is as old as its oldest copy of an open order, or else as the newest copy', () => {
    expect(offlineOrderList([won, open], 'records', {})?.at).toBe(300)
    expect(offlineOrderList([won, open], 'closed', {})?.at).toBe(900)
    expect(offlineOrderList([], 'records', {})).toBeUndefined()
  })
})
