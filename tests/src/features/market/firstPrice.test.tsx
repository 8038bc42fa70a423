// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ProductRow } from '../../../../src/features/market/ProductRow.tsx'
import { ChartPlaceholder } from '../../../../src/features/market/ChartPlaceholder.tsx'
import { TickerPanel } from '../../../../src/pages/product/TickerPanel.tsx'
import { useTicketFacts } from '../../../../src/pages/product/useTicketFacts.ts'
import { checkMarket } from '../../../../src/pages/product/preTradeCheck.ts'
import type { ProductDetail } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A product with a live source, before its first tick: all its prices are zero. */
async function withoutPrice() {
  const { transport, market, streams, passSecond } = streamsSetup(['A'])
  const { ticker } = market
  market.ticker = (id) => ({ ...ticker(id), last: '0.00', high24h: '0.00', low24h: '0.00' })
  transport.up()
  const product = await market.api.product('A')
  const show = async (content: (product: ProductDetail) => ReactNode): Promise<string> => {
    const { container } = await openPage(content(product), { streams })
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

it('a chart whose bars have come without any says so, and does not load for ever', async () => {
  const { show } = await withoutPrice()
  expect(await show(() => <ChartPlaceholder />)).toBe('Loading chart…')
  expect(await show(() => <ChartPlaceholder isLoaded />)).toBe('No prices yet')
})

it.each([
  ['row', (product: ProductDetail) => <ProductRow product={product} caption="volume" />],
  ['ticker', (product: ProductDetail) => <TickerPanel product={product} state="live" />],
])(
  'quotes of currencies have no volume: the %s shows a dash instead of a count of ticks',
  async (_, content) => {
    const { transport, market, streams, passSecond } = streamsSetup(['A'])
    const { ticker } = market
    market.ticker = (id) => ({ ...ticker(id), volume24h: '156512', amount24h: '179000' })
    transport.up()
    const product = await market.api.product('A')
    const textOf = async (part: Partial<ProductDetail>): Promise<string> => {
      const shown = { ...product, ...part }
      const { container } = await openPage(content(shown), { streams })
      await act(passSecond)
      return container.textContent
    }
    expect(await textOf({ category: 'forex', sizeDecimals: 0 })).not.toMatch(/156[.,]5|179/)
    expect(await textOf({ category: 'forex', sizeDecimals: 2 })).toMatch(/156[.,]5/)
    expect(await textOf({ category: 'futures', sizeDecimals: 0 })).toMatch(/156[.,]5/)
  },
)
