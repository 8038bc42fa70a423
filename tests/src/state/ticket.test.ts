// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest'

async function visit() {
  vi.resetModules()
  return import('../../../src/state/ticket.ts')
}
beforeEach(() => localStorage.clear())

it('keeps amount and durations for the next visit, not what is being typed', async () => {
  const first = await visit()
  const stop = first.persistTicket()
  first.ticket.amount = '12,5'
  first.keepAmount('ETHUSDT', '7.00')
  first.keepAmount('BTCUSDT', '12.50')
  first.ticket.seconds['BTCUSDT'] = 300
  await Promise.resolve()
  stop()
  const { ticket } = await visit()
  expect({ ...ticket }).toEqual({
    amount: undefined,
    placing: undefined,
    again: undefined,
    usualAmount: '12.50',
    amounts: { ETHUSDT: '7.00', BTCUSDT: '12.50' },
    seconds: { BTCUSDT: 300 },
  })
})

it.each(['{', '[]', '{"usualAmount":"1e5","amounts":{"A":"-1"},"seconds":{"A":"x"}}'])(
  'starts anew with %s',
  async (stored) => {
    localStorage.setItem('ticket', stored)
    const { ticket } = await visit()
    expect(ticket).toMatchObject({ usualAmount: undefined, amounts: {}, seconds: {} })
  },
)

it('shows one member nothing that another one chose', async () => {
  localStorage.setItem(
    'ticket',
    '{"memberId":"another","usualAmount":"12.50","amounts":{"A":"7.00"},"seconds":{"BTCUSDT":300}}',
  )
  const { ticket } = await visit()
  expect(ticket).toMatchObject({ usualAmount: undefined, amounts: {}, seconds: {} })
})
