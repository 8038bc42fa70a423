import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'

const chartOf = (page: Page, code = 'BTC/USDT') =>
  page.getByRole('region', { name: en.chart.label.replace('{{code}}', code) })

/** The timeframes that the page requests from now on. */
function requestedFrames(page: Page): readonly string[] {
  const frames: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/BTCUSDT/candles') && url.searchParams.get('limit') === '300')
      frames.push(url.searchParams.get('tf') ?? '')
  })
  return frames
}

test('the chart’s timeframe follows the duration on the ticket until the member chooses one', async ({
  page,
}) => {
  await logIn(page)
  const chart = chartOf(page)
  const durations = page.getByRole('radiogroup', { name: en.ticket.durations }).getByRole('radio')
  const frames = requestedFrames(page)
  await page.goto(product('BTCUSDT'))
  await durations.first().check()
  await expect(chart.getByRole('radio', { name: `${en.chart.auto} 1s` })).toBeChecked()
  await durations.last().check()
  await expect(chart.getByRole('radio', { name: `${en.chart.auto} 1s` })).toHaveCount(0)
  for (const name of [en.chart.tick, '1s', '5s', '15s']) {
    await chart.getByRole('radio', { name, exact: true }).check()
    // Bars of a timeframe shown before are there already.
    await expect.poll(() => frames).toContain(name === en.chart.tick ? '250ms' : name)
    await expect(chart.locator('canvas').first()).toBeVisible()
    await expect(chart.getByRole('status')).toHaveCount(0)
  }
  // As a table a bar of seconds has its time to the second, and each follows the one before it.
  await chart.getByRole('radio', { name: '1s', exact: true }).check()
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

test('indicators and a named line: switched on, read by the crosshair, kept by a reload, and no code for them before', async ({
  page,
}) => {
  await logIn(page)
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const ofIndicators = () => scripts.filter((url) => /\/(layer|IndicatorSheet)-/.test(url))
  await page.goto(product('BTCUSDT'))
  const chart = chartOf(page)
  const plot = chart.getByRole('figure')
  await expect(plot.locator('canvas').first()).toBeVisible()
  expect(ofIndicators()).toEqual([])
  const settings = chart.getByRole('button', { name: en.indicators.title })
  await settings.click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('switch', { name: 'MA', exact: true }).click()
  await sheet.getByRole('switch', { name: 'RSI' }).click()
  await sheet.getByLabel(en.indicators.param.period, { exact: true }).fill('9')
  await page.keyboard.press('Escape')
  await plot.focus()
  await page.keyboard.press('ArrowLeft')
  const readings = [/^MA5 [\d,.]+MA10 [\d,.]+MA20 [\d,.]+$/, /^RSI9 [\d.]+$/]
  for (const reading of readings) await expect(chart.getByText(reading)).toBeVisible()
  // A finger that is held on the bars sets a line there.
  const box = (await plot.boundingBox())!
  await plot.click({ button: 'right', position: { x: box.width / 2, y: 60 } })
  await sheet.getByLabel(en.indicators.lineName).fill('Support')
  await sheet.getByRole('button', { name: en.indicators.addLine }).click()
  const line = sheet.getByRole('button', { name: /^Edit line [\d,.]+ Support$/ })
  await expect(line).toBeVisible()
  await page.reload()
  // There are bars once the newest has a reading; a key before them does nothing.
  await expect(chart.getByText(/^RSI9 [\d.]+$/)).toBeVisible()
  await plot.focus()
  await page.keyboard.press('ArrowLeft')
  for (const reading of readings) await expect(chart.getByText(reading)).toBeVisible()
  await settings.click()
  await expect(line).toBeVisible()
  expect(ofIndicators().length).toBeGreaterThan(1)
})

test('a sheet and a toast show above the chart that fills the screen', async ({ page }) => {
  await logIn(page)
  await page.route(/\/layer-[^/]*\.js$/, (route) => route.abort())
  await page.goto(product('BTCUSDT'))
  const chart = chartOf(page)
  await chart.getByRole('button', { name: en.chart.full }).click()
  await chart.getByRole('button', { name: en.indicators.title }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('switch', { name: 'KDJ' }).click()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  // A click reaches it only if nothing covers it.
  await page.getByText(en.indicators.failed).click()
  await expect(chart.getByRole('button', { name: en.chart.leaveFull })).toBeVisible()
})

/** Touches the plot with fingers that move from step to step; each step has the x of every finger. */
async function touch(page: Page, y: number, steps: readonly (readonly number[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const [i, fingers] of steps.entries()) {
    const touchPoints = fingers.map((x, id) => ({ x, y, id }))
    await session.send('Input.dispatchTouchEvent', {
      type: i === 0 ? 'touchStart' : 'touchMove',
      touchPoints,
    })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

test('a pinch zooms the chart, a swipe goes on after it, and a double tap returns to the newest bars', async ({
  page,
}) => {
  await logIn(page)
  // A recorded product: it has bars of hours.
  await page.goto(product('EURUSD'))
  const chart = chartOf(page, 'EUR/USD')
  await chart.getByRole('radio', { name: '1m', exact: true }).check()
  const plot = chart.getByRole('figure')
  await expect(plot.locator('canvas').first()).toBeVisible()
  await expect(chart.getByRole('status')).toHaveCount(0)
  const box = (await plot.boundingBox())!
  const y = box.y + box.height / 3
  /** The instant of the bar under the mouse at a position in the plot, minutes. */
  const minuteAt = async (x: number): Promise<number> => {
    await page.mouse.move(box.x + x, y)
    const text = await chart.getByText(/^\d+ \w+ \d\d:\d\d$/).textContent()
    return Date.parse(`${text} 2000 UTC`) / 60_000
  }
  const spanOf = async (): Promise<number> => Math.abs((await minuteAt(220)) - (await minuteAt(20)))
  const [before, newest] = [await spanOf(), await minuteAt(220)]
  await touch(page, y, [
    [140, 180],
    [120, 200],
    [100, 220],
    [60, 260],
  ])
  await expect.poll(spanOf).toBeLessThan(before / 1.5)
  // A machine that is busy between the last move and the release has stopped the finger: then once more.
  await expect(async () => {
    await touch(page, y, [[60], [100], [160], [240]])
    const atRelease = await minuteAt(20)
    await expect.poll(() => minuteAt(20), { timeout: 1000 }).toBeLessThan(atRelease)
  }).toPass()
  await touch(page, y, [[150]])
  await touch(page, y, [[150]])
  // Each end is a bar under a fixed position, which the bars may cross by one.
  await expect.poll(async () => Math.abs((await spanOf()) - before)).toBeLessThanOrEqual(2)
  await expect.poll(() => minuteAt(220)).toBeGreaterThanOrEqual(newest - 1)
})

test('the chosen timeframe is in view on a phone, after a reload too', async ({ page }) => {
  await logIn(page)
  await page.goto(product('EURUSD'))
  for (const name of ['1d', '5m']) {
    const frame = page.getByRole('radio', { name, exact: true })
    await frame.click()
    await page.reload()
    await expect(frame).toBeChecked()
    await expect(frame).toBeInViewport({ ratio: 1 })
  }
})
