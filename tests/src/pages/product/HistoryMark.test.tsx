// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { dayMs } from '../../../../contract/time.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { HistoryMark, type HistoryMarkProps } from '../../../../src/pages/product/HistoryMark.tsx'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'

const replay = { passes: { epoch: epochMs(0), periodMs: dayMs } }

it.each<[text: string, product: HistoryMarkProps['product'], timeframe: HistoryMarkProps['timeframe']]>([
  [en.chart.simulated, replay, '1d'],
  [en.chart.simulated, replay, '1h'],
  ['', replay, '1m'],
  ['', {}, '1d'],
])('says “%s” on the chart of %j at %s', async (text, product, timeframe) => {
  const { container } = await openPage(<HistoryMark {...{ product, timeframe }} />, {
    streams: streamsSetup().streams,
  })
  expect(container.textContent).toBe(text)
})
