// @vitest-environment happy-dom
import { Suspense, act, use, type ReactNode } from 'react'
import { NEVER, of } from 'rxjs'
import { expect, it } from 'vitest'
import type { Candle, Timeframe } from '../../../contract/candles.ts'
import { Chart } from '../../../src/chart/Chart.tsx'
import type { ChartFormat } from '../../../src/chart/types.ts'
import { createReadout } from '../../../src/chart/readout.ts'
import type { CandleFeed } from '../../../streams/index.ts'
import { fakeCharts } from '../../support/fakeChart.ts'
import { mount, one } from '../ui/mount.tsx'

const bar = (openAt: number): Candle => ({
  openAt,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  lastSeq: openAt,
})
const formatOf = (name: string): ChartFormat => ({
  price: () => name,
  axisTime: () => '',
  fullTime: () => '',
  figure: () => '',
})
const loadOlder = () => undefined
const stored = (...openAts: number[]): CandleFeed => ({
  events$: of({ kind: 'snapshot' as const, candles: openAts.map(bar) }),
  loadOlder,
})
const requested: CandleFeed = { events$: NEVER, loadOlder }

const formats: Partial<Record<Timeframe, ChartFormat>> = {
  '1m': formatOf('1m'),
  '5m': formatOf('5m'),
  '250ms': formatOf('250ms'),
}

/** A chart of fakes, and what the newest of them shows. */
function openChart() {
  const { factory, made } = fakeCharts()
  const readout = createReadout()
  const chart = (timeframe: Timeframe, feed: CandleFeed, zone = 'UTC') => (
    <Chart
      {...{ factory, timeframe, feed, zone, readout }}
      priceDecimals={2}
      price={1}
      mode={timeframe === '250ms' ? 'area' : 'candles'}
      marks={[]}
      extras={undefined}
      stale={false}
      format={formats[timeframe] ?? formats['1m']!}
      onMenu={() => undefined}
      label="Chart"
      toNow="To now"
    />
  )
  const shown = () => {
    const { bars, setup, mode } = made.at(-1)!
    return [made.length, setup.tfMs, setup.format.price(0), mode, bars.map(({ openAt }) => openAt)]
  }
  return { chart, made, readout, shown }
}

it('is the same chart in every timeframe, with only the bars of the one it shows', async () => {
  const { chart, made, readout, shown } = openChart()
  const { render } = await mount(chart('1m', stored(1, 2)))
  expect([shown(), readout.get().newest?.openAt]).toEqual([[1, 60_000, '1m', 'candles', [1, 2]], 2])
  await render(chart('5m', requested))
  expect([shown(), readout.get().newest]).toEqual([[1, 300_000, '5m', 'candles', []], undefined])
  await render(chart('250ms', stored(3)))
  expect([shown(), readout.get().newest?.openAt]).toEqual([[1, 250, '250ms', 'area', [3]], 3])
  await render(chart('250ms', stored(3), 'Asia/Tokyo'))
  expect([shown(), made[0]?.destroyed]).toEqual([[2, 250, '250ms', 'area', [3]], true])
})

it('is another chart once its page was hidden to load a part of it: the one before is destroyed and no longer used', async () => {
  const { chart, made, shown } = openChart()
  let load: (part: null) => void = () => undefined
  const loaded = new Promise<null>((resolve) => (load = resolve))
  const Part = () => use(loaded)
  const page = (child: ReactNode, isOpen: boolean) => (
    <Suspense>
      {child}
      {isOpen && <Part />}
    </Suspense>
  )
  const { render } = await mount(page(chart('1m', stored(1)), false))
  await render(page(chart('5m', stored(2)), true))
  expect(made.map(({ destroyed }) => destroyed)).toEqual([true])
  await act(async () => load(null))
  expect([shown(), made[1]?.destroyed]).toEqual([[2, 300_000, '5m', 'candles', [2]], false])
})

/** Changes an attribute of the page; resolves after everything that observes it. */
const changePage = (name: string, value: string) =>
  act(async () => {
    const observed = new Promise<void>((resolve) => {
      new MutationObserver((_, observer) => {
        observer.disconnect()
        resolve()
      }).observe(document.documentElement, { attributes: true })
    })
    document.documentElement.setAttribute(name, value)
    await observed
  })

it('has a theme set when the member changes it, not for other properties of the page', async () => {
  const { chart, made } = openChart()
  await mount(chart('1m', stored(1)))
  const theme = made[0]?.setup.theme
  await changePage('style', 'overflow: hidden')
  expect(made[0]?.setup.theme).toBe(theme)
  one('figure').style.setProperty('--up', '#0a0')
  await changePage('data-theme', 'dark')
  expect(made[0]?.setup.theme.up).toBe('#0a0')
})

it('offers the way back to the newest bar while that is out of view', async () => {
  const { chart, made } = openChart()
  await mount(chart('1m', stored(1, 2)))
  const button = () => document.querySelector('button')
  expect(button()).toBeNull()
  await act(async () => made[0]?.scrollAway(true))
  expect(button()?.getAttribute('aria-label')).toBe('To now')
  const before = made[0]!.fits
  await act(async () => button()?.click())
  expect(made[0]!.fits).toBe(before + 1)
  expect(document.activeElement).toBe(one('figure'))
  await act(async () => made[0]?.scrollAway(false))
  expect(button()).toBeNull()
})
