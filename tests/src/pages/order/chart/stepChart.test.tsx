// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest'
import { priceUnits, epochMs } from '../../../../../contract/units.ts'
import { changeLanguage, startI18n } from '../../../../../src/text/i18n.ts'
import { StepChart } from '../../../../../src/pages/order/chart/StepChart.tsx'
import { mount } from '../../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

it('draws both markers of an order that began and ended with the same tick', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { container } = await mount(
    <StepChart
      label="Ticks"
      tone="up"
      priceDecimals={2}
      window={{ from: 0, to: 100 }}
      steps={[{ at: epochMs(10), price: priceUnits(10_000) }]}
      until={90}
      markers={[
        { name: 'Entry', at: 10, price: priceUnits(10_000) },
        { name: 'Exit', at: 10, price: priceUnits(10_000) },
      ]}
    />,
  )
  expect(container.querySelectorAll('circle')).toHaveLength(4)
  expect(consoleError).not.toHaveBeenCalled()
  consoleError.mockRestore()
})

it('draws the window of an averaged exit with its mean, and says both below', async () => {
  const { container } = await mount(
    <StepChart
      label="Ticks"
      tone="up"
      priceDecimals={2}
      window={{ from: 0, to: 100 }}
      steps={[{ at: epochMs(10), price: priceUnits(10_000) }]}
      until={90}
      markers={[]}
      average={{ from: 60, to: 90, mean: 10_000.5, caption: 'Average of the last 10 s: 100.005' }}
    />,
  )
  expect(container.querySelectorAll('rect')).toHaveLength(1)
  expect(container.querySelector('figcaption')?.textContent).toBe('Average of the last 10 s: 100.005')
  const levels = [...container.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? '')
  const x = container.querySelector('rect')?.getAttribute('x') ?? ''
  expect(levels.some((d) => d.startsWith(`M${x} `))).toBe(true)
})
