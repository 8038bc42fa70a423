import type { Locator, Page } from '@playwright/test'
import { languages, type Language } from '../../contract/constants.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { buyUp, placeForAMinute } from './network.ts'
import { expect, test } from './test.ts'

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
    await expect.poll(async () => (await plot.boundingBox())?.height).toBeGreaterThan(size.height * 0.45)
    // The ticket behind it takes no tap and no key.
    const buttons = page.locator('button', { hasText: en.ticket.buyUp })
    await expect(buttons).toHaveCount(2)
    await expect(page.locator('[inert]').locator(buttons)).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(full).toBeVisible()
    await expect(buttons).toHaveCount(1)
    await expect(buttons).toBeInViewport()
    await full.click()
    await chart.getByRole('button', { name: en.chart.leaveFull }).click()
    await expect(full).toBeFocused()
  }
})

test('indicators and a named line: switched on, read by the crosshair, kept by a reload, and no code for them before @short', async ({
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
  await sheet.getByRole('switch', { name: `MA ${en.indicators.name.MA}`, exact: true }).click()
  await sheet.getByRole('switch', { name: 'RSI' }).click()
  await sheet.getByLabel(en.indicators.param.period, { exact: true }).fill('9')
  await page.keyboard.press('Escape')
  await plot.focus()
  await page.keyboard.press('ArrowLeft')
  const readings = [/^Moving average: MA5 [\d,.]+MA10 [\d,.]+MA20 [\d,.]+$/, /^RSI9 [\d.]+$/]
  for (const reading of readings) await expect(chart.getByText(reading)).toBeVisible()
  // The menu of the mouse sets a line there.
  const box = (await plot.boundingBox())!
  await plot.click({ button: 'right', position: { x: box.width / 2, y: 60 } })
  await page.getByRole('menuitem', { name: en.chart.lineHere }).click()
  await settings.click()
  await sheet.getByRole('button', { name: /^Edit line [\d,.]+$/ }).click()
  await sheet.getByLabel(en.indicators.lineName).fill('Support')
  await sheet.getByRole('button', { name: en.indicators.saveLine }).click()
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

test('the menu of the chart: an alert and a line at a price, the price itself, and by keyboard', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1280, height: 800 })
  await logIn(page)
  await page.goto(product('EURUSD'))
  const plot = chartOf(page, 'EUR/USD').getByRole('figure')
  await expect(buyUp(page)).toBeEnabled()
  const menu = page.getByRole('menu', { name: en.chart.menu })
  const open = async (): Promise<string> => {
    await plot.click({ button: 'right', position: { x: 100, y: 60 } })
    return menu.locator('p').innerText()
  }
  const price = await open()
  await menu.getByRole('menuitem', { name: en.chart.copyPrice }).click()
  await expect(menu).toHaveCount(0)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(price)
  const asked = await open()
  await menu.getByRole('menuitem', { name: en.chart.alertHere }).click()
  const sheet = page.getByRole('dialog', { name: en.alert.title })
  await expect(sheet.getByRole('textbox', { name: en.alert.price })).toHaveValue(asked)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  // The menu key has the price of the bar that is read.
  await plot.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+F10')
  await expect(menu).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(plot).toBeFocused()
})

type Pack = { chart: (typeof en)['chart'] }
const packOf = async (language: Language): Promise<Pack> =>
  ((await import(`../../locales/${language}.json`, { with: { type: 'json' } })) as { default: Pack }).default

/** Without one each mark above a letter is a box as wide as a letter, and the width of a text says nothing. */
function hasThaiFont(): boolean {
  const context = document.createElement('canvas').getContext('2d')
  return context?.measureText('\u0E01').width === context?.measureText('\u0E01\u0E34').width
}

test('the values at the crosshair take one line on a phone, in every language', async ({ page, context }) => {
  await logIn(page)
  for (const language of languages) {
    if (language === 'th' && !(await page.evaluate(hasThaiFont))) continue
    await context.addInitScript((code) => localStorage.setItem('language', code), language)
    const { chart } = await packOf(language)
    for (const [id, width] of [
      ['BTCUSDT', 360],
      ['EURUSD', 320],
    ] as const) {
      await page.setViewportSize({ width, height: 640 })
      // Another document for each language, in which the second product is another route.
      await page.goto(`/?${language}${product(id).slice(1)}`)
      await expect(page.getByRole('heading', { level: 1, name: id.replace(/USDT?$/, '/$&') })).toBeVisible()
      const plot = page.getByRole('figure')
      await expect(plot.locator('canvas').first()).toBeVisible()
      // A key before there are bars does nothing.
      const values = page
        .getByText(new RegExp(`${chart.letter.open} [\\d.,\\s]+${chart.letter.high} `))
        .filter({ visible: true })
      await expect(async () => {
        await plot.focus()
        await page.keyboard.press('ArrowLeft')
        await expect(values).toBeVisible({ timeout: 200 })
      }).toPass()
      const lines = await values.evaluate(
        (node) => node.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(node).lineHeight),
      )
      expect(lines, `${language}, ${id} at ${width} px`).toBeLessThan(1.5)
    }
  }
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

test('that the indicators do not load is told once, not on every product’s page', async ({ page }) => {
  await logIn(page)
  await page.route(/\/layer-[^/]*\.js$/, (route) => route.abort())
  await page.goto(product('BTCUSDT'))
  await chartOf(page).getByRole('button', { name: en.indicators.title }).click()
  await page.getByRole('dialog').getByRole('switch', { name: 'KDJ' }).click()
  await page.keyboard.press('Escape')
  const told = page.getByText(en.indicators.failed)
  await expect(told).toBeVisible()
  await expect(told).toHaveCount(0)
  for (const id of ['ETHUSDT', 'EURUSD']) {
    await page.evaluate((hash) => (location.hash = hash), product(id).slice(1))
    await expect(page.getByRole('heading', { level: 1, name: id.replace(/USDT?$/, '/$&') })).toBeVisible()
    await expect(page.getByRole('button', { name: en.ticket.buyUp }).first()).toBeVisible()
    expect(await told.count()).toBe(0)
  }
})

type Point = { x: number; y: number }

/** Touches the page with fingers that move from step to step; each step has the place of every finger. */
async function touch(page: Page, steps: readonly (readonly Point[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const sends = steps.map(
    (fingers, i) => () =>
      session.send('Input.dispatchTouchEvent', {
        type: i === 0 ? 'touchStart' : 'touchMove',
        touchPoints: fingers.map((point, id) => ({ ...point, id })),
      }),
  )
  // Each by itself, because a browser joins moves that come within a frame, and a swipe begins with the third.
  for (const send of sends.slice(0, -2)) await send()
  // The last at once: a busy machine that answers each late would hold the finger still before its release.
  await Promise.all([
    ...sends.slice(-2).map((send) => send()),
    session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ])
  await session.detach()
}

/** Steps of fingers at one height. */
const atHeight = (y: number, steps: readonly (readonly number[])[]): Point[][] =>
  steps.map((fingers) => fingers.map((x) => ({ x, y })))

/** A product's chart that is loaded in a timeframe, and where its plot is. */
async function openChart(page: Page, id: string, code: string, frame: string) {
  await page.goto(product(id))
  const chart = chartOf(page, code)
  await chart.getByRole('radio', { name: frame, exact: true }).check()
  const plot = chart.getByRole('figure')
  await expect(plot.locator('canvas').first()).toBeVisible()
  await expect(chart.getByRole('status')).toHaveCount(0)
  return { chart, plot, box: (await plot.boundingBox())! }
}

test('a pinch zooms the chart, a swipe goes on after it, and a double tap returns to the newest bars', async ({
  page,
}) => {
  await logIn(page)
  // A recorded product: it has bars of hours.
  const { chart, box } = await openChart(page, 'EURUSD', 'EUR/USD', '1m')
  const y = box.y + box.height / 3
  /** The instant of the bar under the mouse at a position in the plot, minutes. */
  const minuteAt = async (x: number): Promise<number> => {
    await page.mouse.move(box.x + x, y)
    const spoken = await chart.getByText(/^\d+ \w+ \d\d:\d\d, /).textContent()
    return Date.parse(`${spoken?.split(',', 1)[0]} 2000 UTC`) / 60_000
  }
  const spanOf = async (): Promise<number> => Math.abs((await minuteAt(220)) - (await minuteAt(20)))
  const [before, newest] = [await spanOf(), await minuteAt(220)]
  const pinch = [
    [140, 180],
    [120, 200],
    [100, 220],
    [60, 260],
  ]
  await touch(page, atHeight(y, pinch))
  await expect.poll(spanOf).toBeLessThan(before / 1.5)
  // A machine that is busy between the last move and the release has stopped the finger: then once more.
  await expect(async () => {
    await touch(page, atHeight(y, [[60], [90], [120], [160], [240]]))
    const atRelease = await minuteAt(20)
    await expect.poll(() => minuteAt(20), { timeout: 1000 }).toBeLessThan(atRelease)
  }).toPass()
  await touch(page, atHeight(y, [[150]]))
  await touch(page, atHeight(y, [[150]]))
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
    // Half a pixel may be rounded away.
    await expect(frame).toBeInViewport({ ratio: 0.98 })
  }
})

test('a finger that is held reads the bars until it is lifted, and opens nothing', async ({ page }) => {
  await logIn(page)
  const { chart, box } = await openChart(page, 'EURUSD', 'EUR/USD', '1m')
  const read = chart.getByText(/^\d+ \w+ \d\d:\d\d, /)
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  const y = box.y + box.height / 2
  await send('touchStart', { x: box.x + 180, y })
  await expect(read).toHaveCount(1)
  const first = await read.textContent()
  await send('touchMove', { x: box.x + 90, y: y + 40 })
  await expect(read).not.toHaveText(first ?? '')
  await send('touchEnd')
  await expect(read).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a button returns from older bars to the newest, and is there only for that', async ({ page }) => {
  await logIn(page)
  const { chart, plot, box } = await openChart(page, 'EURUSD', 'EUR/USD', '1m')
  const toNow = chart.getByRole('button', { name: en.chart.toNow })
  await expect(toNow).toHaveCount(0)
  const y = box.y + box.height / 3
  await touch(page, atHeight(y, [[40], [70], [120], [180], [240], [290]]))
  await expect(toNow).toBeVisible()
  const target = (await toNow.boundingBox())!
  expect(Math.min(target.width, target.height)).toBeGreaterThanOrEqual(44)
  await toNow.click()
  await expect(toNow).toHaveCount(0)
  await expect(plot).toBeFocused()
  await touch(page, atHeight(y, [[40], [70], [120], [180], [240], [290]]))
  await expect(toNow).toBeVisible()
  await touch(page, atHeight(y, [[150]]))
  await touch(page, atHeight(y, [[150]]))
  await expect(toNow).toHaveCount(0)
})

test('a finger scales the price axis, and a double tap on it fits the prices again', async ({ page }) => {
  await logIn(page)
  // Its newest price moves less than its scale.
  const { plot, box } = await openChart(page, 'EURUSD', 'EUR/USD', '1h')
  const menu = page.getByRole('menu')
  const priceAt = async (y: number): Promise<number> => {
    await plot.click({ button: 'right', position: { x: 100, y } })
    const value = Number(await menu.locator('p').innerText())
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    return value
  }
  const spanOf = async (): Promise<number> => (await priceAt(20)) - (await priceAt(120))
  const before = await spanOf()
  const x = box.x + box.width - 20
  const down = [40, 60, 90, 120].map((y) => [{ x, y: box.y + y }])
  await touch(page, down)
  await expect.poll(spanOf).toBeGreaterThan(before * 1.2)
  const tap = [[{ x, y: box.y + 60 }]]
  await touch(page, tap)
  await touch(page, tap)
  await expect.poll(async () => Math.abs((await spanOf()) / before - 1)).toBeLessThan(0.1)
})

test('bars of seconds are a line and bars of minutes candles until the member chooses otherwise', async ({
  page,
}) => {
  await logIn(page)
  const { chart } = await openChart(page, 'EURUSD', 'EUR/USD', '15s')
  const frame = (name: string) => chart.getByRole('radio', { name, exact: true })
  const toCandles = chart.getByRole('button', { name: en.chart.candles })
  const toArea = chart.getByRole('button', { name: en.chart.area })
  await expect(toCandles).toBeVisible()
  await frame('1m').check()
  await expect(toArea).toBeVisible()
  await toArea.click()
  await frame('5s').check()
  await toCandles.click()
  await page.reload()
  await expect(toArea).toBeVisible()
  await frame('15m').check()
  await expect(toCandles).toBeVisible()
})

test('every timeframe can be reached on the smallest phone, and a fade says that there are more', async ({
  page,
}) => {
  await logIn(page)
  await page.setViewportSize({ width: 320, height: 640 })
  const { chart } = await openChart(page, 'EURUSD', 'EUR/USD', '1m')
  const row = chart.getByRole('radiogroup')
  const fades = () => row.evaluate(({ dataset }) => ['before' in dataset, 'after' in dataset])
  await expect.poll(fades).toEqual([true, true])
  await chart.getByRole('radio', { name: '1d', exact: true }).check()
  await expect.poll(fades).toEqual([true, false])
  await chart.getByRole('radio', { name: en.chart.auto }).check()
  await expect.poll(fades).toEqual([false, true])
})

/** The product's page with an order that runs for a minute: its positions. */
async function openWithOrder(page: Page): Promise<Locator> {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await placeForAMinute(page)
  return page.getByRole('region', { name: en.product.positions })
}

test('with an order open the chart keeps nearly half of a phone, and stays readable on a small one', async ({
  page,
}) => {
  const strip = await openWithOrder(page)
  await expect(strip.getByRole('timer')).toBeVisible()
  const plot = chartOf(page).getByRole('figure')
  // The strip lies over the end of a chart that is too high for the screen.
  const seen = async (): Promise<number> =>
    (await strip.boundingBox())!.y - Math.max(0, (await plot.boundingBox())!.y)
  await expect.poll(seen).toBeGreaterThanOrEqual(0.45 * 844)
  await page.setViewportSize({ width: 375, height: 667 })
  await expect.poll(seen).toBeGreaterThanOrEqual(200)
  // Beside the ticket it has most of its column.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(async () => (await plot.boundingBox())!.height).toBeGreaterThanOrEqual(0.55 * 800)
})

test('many orders leave the chart of a phone its place: each takes one line, and the heading their sum', async ({
  page,
}) => {
  const strip = await openWithOrder(page)
  const timers = strip.getByRole('timer')
  await expect(timers).toHaveCount(1)
  const one = (await strip.boundingBox())!.height
  await placeForAMinute(page)
  await placeForAMinute(page)
  await expect(timers).toHaveCount(3)
  await expect(strip.getByText(`${en.orders.openStakes} 300.00`)).toBeVisible()
  expect((await strip.boundingBox())!.height).toBeLessThan(one)
  // Beside the ticket they are below each other.
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const row of await strip.getByRole('listitem').all())
    await expect.poll(async () => (await row.boundingBox())!.height).toBeLessThanOrEqual(49)
})
