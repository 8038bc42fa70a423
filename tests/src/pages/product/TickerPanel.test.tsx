// @vitest-environment happy-dom
import { NEVER, of } from 'rxjs'
import { expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { TickerPanel } from '../../../../src/pages/product/TickerPanel.tsx'
import type { ProductDetail } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'

const at = Date.UTC(2026, 0, 5, 12)
const product = {
  id: 'A',
  category: 'crypto',
  priceDecimals: 2,
  sizeDecimals: 2,
  last: '100.25',
  lastAt: epochMs(at),
  change24hBp: 120,
  high24h: '101.00',
  low24h: '99.00',
  volume24h: '1000',
  amount24h: '100000',
  source: 'live: Kraken',
} as ProductDetail

const textAfter = async (ms: number): Promise<string> => {
  const { streams } = streamsSetup(['A'])
  const shown = {
    ...streams,
    quote$: () => NEVER,
    lastQuote: () => undefined,
    clock: { ...streams.clock, now: () => at + ms, second$: of(at + ms) },
  }
  const { container } = await openPage(<TickerPanel product={product} state="waiting" />, { streams: shown })
  return container.textContent
}

it('has the price that was loaded at once, with its change', async () => {
  const text = await textAfter(1000)
  expect(text).toContain('100.25')
  expect(text).toContain('+1.20%')
})

it('says how old that price is before the first one comes over the socket', async () => {
  const text = await textAfter(75_000)
  expect(text).toContain('100.25')
  expect(text).toContain('Updated 75 s ago')
})
