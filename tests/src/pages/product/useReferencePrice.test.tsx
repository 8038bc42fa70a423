// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { dayMs } from '../../../../contract/time.ts'
import { useReferencePrice } from '../../../../src/pages/product/useReferencePrice.ts'
import { mount, one, pollScreen } from '../../ui/mount.tsx'

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
afterEach(() => vi.unstubAllGlobals())

it.each<[what: string, minutes: Candle[], days: Candle[], base: string]>([
  ['the last price before the window', [[windowStart - 60_000, 1, 9, 1, 2.25, 0, 4]], [], '225'],
  ['the first of all prices if there is none before', [], [[9 * dayMs, 3.5, 9, 1, 8, 0, 9]], '350'],
  ['unknown if there is no price', [], [], 'unknown'],
])('returns %s', async (_, minutes, days, expected) => {
  vi.stubGlobal('fetch', async (url: string) => {
    const query = new URL(url, 'http://venue').searchParams
    if (query.get('tf') === '1m') expect(query.get('to')).toBe(String(windowStart))
    return Response.json({ candles: query.get('tf') === '1m' ? minutes : days })
  })
  await mount(<Probe />)
  await pollScreen(() => one('p').textContent).toBe(expected)
})
