// @vitest-environment happy-dom
import { it } from 'vitest'
import { dayMs } from '../../../../contract/time.ts'
import { useReferencePrice } from '../../../../src/pages/product/useReferencePrice.ts'
import { openPage } from '../../../support/openPage.tsx'
import { createTestClient } from '../../../support/testClient.ts'
import { one, pollScreen } from '../../ui/mount.tsx'

const now = 10 * dayMs + 90_000
const windowStart = now - 30_000 - dayMs
type Candle = [
  openAt: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
  seq: number,
]

const Probe = () => <p>{useReferencePrice('EURUSD', 2, now) ?? 'unknown'}</p>

it.each<[what: string, minutes: Candle[], days: Candle[], base: string]>([
  ['the last price before the window', [[windowStart - 60_000, 1, 9, 1, 2.25, 0, 4]], [], '225'],
  ['the first of all prices if there is none before', [], [[9 * dayMs, 3.5, 9, 1, 8, 0, 9]], '350'],
  ['unknown if there is no price', [], [], 'unknown'],
])('returns %s', async (_, minutes, days, expected) => {
  const { answers, call } = createTestClient()
  const path = '/products/EURUSD/candles'
  answers.set(`${path}?tf=1m&to=${windowStart}&limit=1`, [200, { candles: minutes }])
  answers.set(`${path}?tf=1d&limit=2`, [200, { candles: days }])
  await openPage(<Probe />, { call })
  await pollScreen(() => one('p').textContent).toBe(expected)
})
