// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import { initReactI18next } from 'react-i18next'
import i18next from 'i18next'
import type { ProductDetail } from '../../../../streams/index.ts'
import type { TicketFacts } from '../../../../src/pages/product/preTradeCheck.ts'
import { useRepeatedOrder } from '../../../../src/pages/product/useRepeatedOrder.ts'
import { fittedAmount } from '../../../../src/pages/product/useTicketFacts.ts'
import { ticket } from '../../../../src/state/ticket.ts'
import { mount } from '../../ui/mount.tsx'

const duration = { seconds: 60, rateBp: 8500, min: '5.00', max: '500000.00' }
const product = { id: 'A', code: 'A/USD', durations: [duration] } as unknown as ProductDetail
const all = minor(1_000_000)
const facts = { duration, amount: undefined, available: all } as unknown as TicketFacts

function Repeats() {
  useRepeatedOrder(product, facts, vi.fn())
  return null
}

it('does not make the amount of a repeated order that of later tickets', async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: {} } })
  ticket.usualAmount = '25.00'
  ticket.again = {
    productId: 'A',
    direction: 'down',
    amount: '10000.00',
    seconds: 60,
    rateBp: 8500,
    askedAt: performance.now(),
  }
  await mount(<Repeats />)
  expect(ticket).toMatchObject({ amount: '10000.00', usualAmount: '25.00' })
  expect(fittedAmount(ticket.usualAmount, { duration, available: all, limits: undefined })).toBe(2500)
})
