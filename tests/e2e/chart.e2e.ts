import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'

const chartOf = (page: Page) =>
  page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'BTC/USDT') })

/** Timeframes that the page requests while something happens. */
async function framesRequestedBy(page: Page, act: () => Promise<void>): Promise<string[]> {
  const frames: string[] = []
  const note = (request: { url: () => string }): void => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/BTCUSDT/candles') && url.searchParams.get('limit') === '300')
      frames.push(url.searchParams.get('tf') ?? '')
  }
  page.on('request', note)
  await act()
  page.off('request', note)
  return frames
}

test('the chart’s timeframe follows the duration on the ticket until the member chooses one', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  const chart = chartOf(page)
  const durations = page.getByRole('radiogroup', { name: en.ticket.durations }).getByRole('radio')
  await durations.first().check({ force: true })
  await expect(chart.getByRole('radio', { name: `${en.chart.auto} 1s` })).toBeChecked()
  await durations.last().check({ force: true })
  await expect(chart.getByRole('radio', { name: `${en.chart.auto} 1s` })).toHaveCount(0)

  const requested = await framesRequestedBy(page, async () => {
    for (const name of [en.chart.tick, '1s', '5s', '15s']) {
      await chart.getByRole('radio', { name, exact: true }).check({ force: true })
      await expect(chart.locator('canvas').first()).toBeVisible()
      await expect(chart.getByRole('status')).toHaveCount(0)
    }
  })
  expect(requested.filter((frame, i) => frame !== requested[i - 1])).toEqual(['250ms', '1s', '5s', '15s'])
  // As a table a bar of seconds has its time to the second, and each follows the one before it.
  await chart.getByRole('radio', { name: '1s', exact: true }).check({ force: true })
  await chart.getByRole('button', { name: en.chart.table }).click()
  const times = chart.locator('tbody th')
  await expect(times.first()).toHaveText(/^\d\d:\d\d:\d\d$/)
  await expect
    .poll(async () => {
      const seconds = (await times.allTextContents()).map((text) => Date.parse(`2000-01-01T${text}Z`) / 1000)
      return seconds.slice(1).every((each, i) => [1, 1 - 86_400].includes((seconds[i] ?? 0) - each))
    })
    .toBe(true)
  await page.reload()
  await expect(chart.getByRole('radio', { name: '1s', exact: true })).toBeChecked()
})

test('the chart fills the screen and returns, also on a phone in landscape', async ({ page }) => {
  await logIn(page)
  for (const size of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(product('BTCUSDT'))
    const chart = chartOf(page)
    const full = chart.getByRole('button', { name: en.chart.full })
    await full.click()
    await expect.poll(() => chart.boundingBox()).toEqual({ x: 0, y: 0, ...size })
    const plot = chart.locator('canvas').first()
    await expect.poll(async () => (await plot.boundingBox())?.height).toBeGreaterThan(size.height * 0.7)
    // The ticket behind it takes no tap and no key.
    const isInert = (node: Element): boolean => node.closest('[inert]') !== null
    await expect.poll(() => page.getByRole('button', { name: en.ticket.buyUp }).evaluate(isInert)).toBe(true)
    await page.keyboard.press('Escape')
    await expect(full).toBeVisible()
    await expect(page.getByRole('button', { name: en.ticket.buyUp })).toBeInViewport()
    await full.click()
    await chart.getByRole('button', { name: en.chart.leaveFull }).click()
    await expect(full).toBeFocused()
  }
})
