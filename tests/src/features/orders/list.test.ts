import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { belongs, newestFirst } from '../../../../src/features/orders/list.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const ids = (orders: readonly { id: string }[]) => orders.map(({ id }) => id)

describe('belongs', () => {
  const open = sampleOrder({ status: 'open' })
  const won = sampleOrder({ status: 'won' })
  it.each([
    [open, 'records', true],
    [open, 'positions', true],
    [open, 'closed', false],
    [won, 'records', true],
    [won, 'positions', false],
    [won, 'closed', true],
  ] as const)('%#', (order, tab, expected) => expect(belongs(order, tab, {})).toBe(expected))

  it.each([
    [{ productId: 'A' }, true],
    [{ productId: 'B' }, false],
    [{ direction: 'down' }, false],
    [{ result: 'won' }, true],
    [{ result: 'lost' }, false],
    [{ from: 1_000_000, to: 1_000_000 }, true],
    [{ from: 1_000_001 }, false],
    [{ to: 999_999 }, false],
  ] as const)('under %o', (filters, expected) => expect(belongs(won, 'records', filters)).toBe(expected))
})

describe('newestFirst', () => {
  const long = sampleOrder({ id: 'long', acceptedAt: epochMs(1), status: 'won', settledAt: epochMs(100) })
  const short = sampleOrder({ id: 'short', acceptedAt: epochMs(2), status: 'won', settledAt: epochMs(50) })

  it('sorts closed orders by the time they closed, others by the time they were placed', () => {
    expect(ids([short, long].sort(newestFirst('closed')))).toEqual(['long', 'short'])
    expect(ids([long, short].sort(newestFirst('records')))).toEqual(['short', 'long'])
  })

  it('filters closed orders by the time they closed', () => {
    expect(belongs(long, 'closed', { from: 100 })).toBe(true)
    expect(belongs(long, 'closed', { to: 99 })).toBe(false)
    expect(belongs(long, 'records', { to: 99 })).toBe(true)
  })
})
