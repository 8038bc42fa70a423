// @vitest-environment happy-dom
import { NEVER } from 'rxjs'
import { act, useEffect } from 'react'
import { beforeAll, expect, it } from 'vitest'
import { priceUnits, type PriceUnits } from '../../../../contract/units.ts'
import { CallProvider } from '../../../../src/hooks/useCall.ts'
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { useNewAlert } from '../../../../src/pages/product/useNewAlert.ts'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { currentToasts, dismissToast, type Toast } from '../../../../src/ui/toastStore.ts'
import type { ProductDetail, Streams } from '../../../../streams/index.ts'
import { createTestClient, errorBody } from '../../../support/testClient.ts'
import { mount } from '../../ui/mount.tsx'

const product = { id: 'EURUSD', code: 'EUR/USD', priceDecimals: 2, last: '100.00' } as ProductDetail
const streams = { quote$: () => NEVER, lastQuote: () => undefined } as unknown as Streams
const created = {
  id: '1',
  productId: product.id,
  kind: 'above',
  price: '110.00',
  createdAt: 1,
  status: 'waiting',
  version: 1,
}
let form: ReturnType<typeof useNewAlert>

function Probe({ asked }: { asked?: PriceUnits }) {
  const state = useNewAlert(product, asked)
  useEffect(() => {
    form = state
  })
  return null
}

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
  dismissToast()
})

it('names the alert that is set, whatever was typed while its answer was missing', async () => {
  const { answers, call } = createTestClient()
  await mount(
    <StreamsProvider value={streams}>
      <CallProvider value={call}>
        <Probe />
      </CallProvider>
    </StreamsProvider>,
  )
  answers.set('/price-alerts', [503, errorBody('OVERLOADED', { params: { retryAfterMs: 60_000 } })])
  await act(async () => form.setText('110'))
  await act(async () => form.submit())
  expect(form.problem).toBeDefined()
  answers.set('/price-alerts', [201, created])
  await act(async () => form.setText('120'))
  await act(async () => form.submit())
  const [{ text }] = currentToasts() as [Toast]
  expect([text.includes('110'), text.includes('120')]).toEqual([true, false])
})

it.each([
  [priceUnits(11_000), '110.00', 'above'],
  [priceUnits(9_000), '90.00', 'below'],
])('starts at the price %i that was asked for, and says which way that is', async (asked, text, kind) => {
  const { call } = createTestClient()
  await mount(
    <StreamsProvider value={streams}>
      <CallProvider value={call}>
        <Probe asked={asked} />
      </CallProvider>
    </StreamsProvider>,
  )
  expect([form.text, form.kind]).toEqual([text, kind])
})
