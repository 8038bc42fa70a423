// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it } from 'vitest'
import { OverlayLegend, PaneLegends } from '../../../src/chart/IndicatorLegend.tsx'
import type { Indicator } from '../../../src/chart/indicators/kinds.ts'
import type { ChartFormat } from '../../../src/chart/types.ts'
import { createReadout } from '../../../src/chart/readout.ts'
import { SpokenBar } from '../../../src/chart/SpokenBar.tsx'
import { mount } from '../ui/mount.tsx'

const format: ChartFormat = {
  price: (value) => value.toFixed(2),
  axisTime: () => '',
  fullTime: () => '12 Aug 10:05',
  figure: (value, kind) => (Number.isNaN(value) ? '—' : `${value}${kind === 'percent' ? 'p' : ''}`),
}
const indicators: Indicator[] = [
  { kind: 'MA', params: [5, 10, 20] },
  { kind: 'VOL', params: [5, 10] },
  { kind: 'MACD', params: [12, 26, 9] },
  { kind: 'RSI', params: [14] },
]
const readings = [
  { indicator: indicators[0]!, values: [1, 2, NaN], withoutVolume: false },
  { indicator: indicators[1]!, values: [0, 0, 0], withoutVolume: true },
  { indicator: indicators[2]!, values: [3, 4, 5], withoutVolume: false },
  { indicator: indicators[3]!, values: [55], withoutVolume: false },
]
const hovered = { openAt: 0, open: 1, high: 4, low: 0.5, close: 3, volume: 0, lastSeq: 1 }

it('reads every active indicator at the crosshair, and at the newest bar until then', async () => {
  const readout = createReadout()
  const words = { open: 'Open', high: 'High', low: 'Low', close: 'Close' }
  const shown = { indicators, readout, format, nameOf: (kind: string) => `Name of ${kind}` }
  const { container } = await mount(
    <>
      <OverlayLegend {...shown} />
      <PaneLegends {...shown} noVolume="No volume" />
      <SpokenBar readout={readout} format={format} words={words} />
    </>,
  )
  const lines = () => [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
  await act(async () => readout.set({ readings }))
  expect(lines()).toEqual([
    'Name of MA: MA5 1MA10 2MA20 —',
    'Name of VOL: VOL No volume',
    'Name of MACD: MACD 12,26,9DIF 3DEA 4MACD 5',
    'Name of RSI: RSI14 55p',
  ])
  const spoken = container.querySelector('[aria-live="polite"]')
  expect(spoken?.textContent).toBe('')
  await act(async () => readout.set({ hovered }))
  expect(lines()[0]).toBe('Name of MA: MA5 1MA10 2MA20 —')
  expect(spoken?.textContent).toBe(
    '12 Aug 10:05, Open 1.00, High 4.00, Low 0.50, Close 3.00, MA5 1, MA10 2, MA20 —, MACD DIF 3, DEA 4, MACD 5, RSI14 55p',
  )
})
