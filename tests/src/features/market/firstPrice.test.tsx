// @vitest-environment happy-dom
import { act } from 'react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { ProductRow } from '../../../../src/features/market/ProductRow.tsx'
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { ChartPlaceholder } from '../../../../src/features/market/ChartPlaceholder.tsx'
import { TickerPanel } from '../../../../src/pages/product/TickerPanel.tsx'
import { useTicketFacts } from '../../../../src/pages/product/useTicketFacts.ts'
import { checkMarket } from '../../../../src/pages/product/preTradeCheck.ts'
import type { ProductDetail } from '../../../../streams/index.ts'
import { setup } from '../../../support/streamsSetup.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A product with a live source, before its first tick: all its prices are zero. */
async function withoutPrice() {
  const { transport, market, streams, passSecond } = setup(['A'])
  const { ticker } = market
  market.ticker = (id) => ({ ...ticker(id), last: '0.00', high24h: '0.00', low24h: '0.00' })
  transport.up()
  const product = await market.api.product('A')
  const show = async (content: (product: ProductDetail) => ReactNode): Promise<string> => {
    const { container } = await mount(<StreamsProvider value={streams}>{content(product)}</StreamsProvider>)
    await act(passSecond)
    return container.textContent
  }
  return { show }
}

it.each([
  ['row', (product: ProductDetail) => <ProductRow product={product} caption="name" />],
  ['ticker', (product: ProductDetail) => <TickerPanel product={product} state="live" />],
  ['ticker of a closed market', (product: ProductDetail) => <TickerPanel product={product} state="closed" />],
])('a product without a price yet shows a dash in its %s', async (_, content) => {
  const { show } = await withoutPrice()
  const text = await show(content)
  expect(text).toContain('—')
  expect(text).not.toMatch(/0\.00|1970/)
})

function Reason({ product }: { product: ProductDetail }) {
  return <>{checkMarket(useTicketFacts(product))?.kind}</>
}

it('its ticket waits for the first price', async () => {
  const { show } = await withoutPrice()
  expect(await show((product) => <Reason product={product} />)).toBe('waiting')
})

it('its chart does not claim to load', async () => {
  const { show } = await withoutPrice()
  expect(await show(() => <ChartPlaceholder awaitsPrice />)).toBe('Waiting for the first price…')
})
