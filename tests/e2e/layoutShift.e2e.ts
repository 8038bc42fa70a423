import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { logIn, openHome, product } from './member.ts'
import { buyUp, placeForAMinute } from './network.ts'
import { expect, test } from './test.ts'

type Shift = { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }

/** Notes from the next page on what moves without input. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    const describe = (node: Node | null): string => {
      const element = node instanceof Element ? node : node?.parentElement
      return `${element?.tagName} “${node?.textContent?.slice(0, 40)}”`
    }
    new PerformanceObserver((seen) => {
      for (const { value, hadRecentInput, sources } of seen.getEntries() as unknown as Shift[])
        // A price that changes its width moves its first digit, in a page that stands still.
        if (!hadRecentInput && value >= 0.001)
          moved.push(`${value}: ${sources.map(({ node }) => describe(node)).join(', ')}`)
    }).observe({ type: 'layout-shift', buffered: true })
  })

const moved = (page: Page) => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)

const pages: [string, string, (page: Page) => Promise<void>][] = [
  [
    'home',
    `/#${paths.home}`,
    async (page) => {
      await expect(page.getByRole('heading', { name: en.home.news })).toBeVisible()
      await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    },
  ],
  [
    'fund',
    `/#${paths.fund}`,
    async (page) => {
      await expect(page.getByRole('heading', { name: en.fund.pendingLots })).toBeVisible()
      await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    },
  ],
  ['product', product('BTCUSDT'), (page) => expect(buyUp(page)).toBeEnabled()],
]

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`nothing moves while home, fund or a product loads, at ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size)
    await openHome(page)
    await watchShifts(page)
    for (const [name, href, complete] of pages) {
      await page.goto('about:blank')
      await page.goto(href)
      await complete(page)
      // The rail shows the venue's clock last.
      if (size.width > 900) await expect(page.getByText(/\d\d:\d\d:\d\d UTC\+8/)).toBeVisible()
      expect(await moved(page), name).toEqual([])
    }
  })

/** Opens the product with an order that runs for a minute. */
async function openWithOrder(page: Page): Promise<void> {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(buyUp(page)).toBeEnabled()
  await placeForAMinute(page)
  await watchShifts(page)
}

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`nothing moves while the product of an alert and of orders elsewhere loads, at ${size.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await logIn(page)
    await page.goto(product('EURUSD'))
    await placeForAMinute(page)
    await page.goto(product('BTCUSDT'))
    await page.getByRole('button', { name: en.alert.title }).click()
    const sheet = page.getByRole('dialog', { name: en.alert.title })
    await sheet.getByRole('textbox', { name: en.alert.price }).fill('900000')
    await sheet.getByRole('button', { name: en.alert.submit }).click()
    await expect(sheet.getByRole('listitem')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await watchShifts(page)
    // The alerts come after the bars, and then the code that draws them.
    const drawn = page.waitForResponse(/\/layer-[^/]*\.js$/)
    await page.reload()
    await expect(buyUp(page)).toBeEnabled()
    await drawn
    await expect(page.getByRole('link', { name: /^1 order on other products/ })).toBeVisible()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await moved(page)).toEqual([])
  })

const strip = (page: Page) => page.getByRole('region', { name: en.product.positions })

/** The page has its chart and the strip with the order; no frame of them is left out. */
async function expectComplete(page: Page): Promise<void> {
  await expect(buyUp(page)).toBeEnabled()
  await expect(strip(page).getByRole('timer')).toBeVisible()
  await expect(page.locator('canvas').first()).toBeVisible()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

test('nothing moves while the product of an open order loads', async ({ page }) => {
  await openWithOrder(page)
  await page.reload()
  await expectComplete(page)
  expect(await moved(page)).toEqual([])
})

test('nothing moves if the open orders come late, and the ticket does not wait for them', async ({
  page,
}) => {
  await openWithOrder(page)
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/api\/orders\?/, async (route) => {
    await answered
    await route.continue()
  })
  await page.reload()
  await expect(buyUp(page)).toBeEnabled()
  await expect(strip(page)).toBeHidden()
  answer()
  await expectComplete(page)
  expect(await moved(page)).toEqual([])
})

test('the page comes without its orders if they cannot be loaded', async ({ page }) => {
  await openWithOrder(page)
  await page.route(/\/api\/orders\?/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(buyUp(page)).toBeEnabled()
  await expect(page.locator('canvas').first()).toBeVisible()
})

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`the product page does not move when the device is offline, at ${size.width} px`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize(size)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await expect(buyUp(page)).toBeEnabled()
    const box = () => page.locator('main canvas').first().boundingBox()
    const before = await box()
    await context.setOffline(true)
    await expect(page.getByText(en.connection.offline, { exact: true })).toBeVisible()
    await expect(buyUp(page)).toBeDisabled()
    expect(await box()).toEqual(before)
  })

test('nothing moves while a product waits for its connection, nor when that is there', async ({ page }) => {
  await openHome(page)
  await watchShifts(page)
  let connect: () => void = () => undefined
  const allowed = new Promise<void>((resolve) => (connect = resolve))
  await page.routeWebSocket('**/socket.io/**', async (socket) => {
    await allowed
    socket.connectToServer()
  })
  await page.goto('about:blank')
  await page.goto(product('BTCUSDT'))
  await expect(page.getByText(en.connection.connecting).first()).toBeVisible()
  await expect(buyUp(page)).toBeDisabled()
  connect()
  await expect(buyUp(page)).toBeEnabled()
  expect(await moved(page)).toEqual([])
})

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`a lost connection moves nothing on home, fund and deposit, at ${size.width} px`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize(size)
    await openHome(page)
    for (const name of ['home', 'fund', 'deposit'] as const) {
      await page.goto(`/#${paths[name]}`)
      const main = page.getByRole('main')
      await expect(page.getByRole('heading', { level: 1, name: en.title[name] })).toBeAttached()
      await expect(main).toBeVisible()
      await expect(main.locator('[data-skeleton]')).toHaveCount(0)
      const before = await main.boundingBox()
      await context.setOffline(true)
      const line = page.getByText(new RegExp(`^${en.connection.offline}`)).first()
      await expect(line, name).toBeInViewport({ ratio: 1 })
      expect((await main.boundingBox())!.y, name).toBe(before!.y)
      // Above the tabs, and above the end of what is read.
      const tabs = page.getByRole('navigation', { name: en.nav.label }).first()
      const top = size.width < 900 && name !== 'deposit' ? (await tabs.boundingBox())!.y : size.height
      const edge = (await line.boundingBox())!
      expect(edge.y, name).toBeGreaterThan(size.height / 2)
      expect(edge.y + edge.height, name).toBeLessThanOrEqual(top)
      await context.setOffline(false)
      await expect(line).toBeHidden()
    }
  })

test('how strong a new password is moves no field below it', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await logIn(page)
  await page.goto(`/#${paths.settings}`)
  await page.getByRole('link', { name: en.settings.modifyLogin }).click()
  const password = page.getByLabel(en.password.new, { exact: true })
  const next = page.getByLabel(en.password.confirm, { exact: true })
  await expect(page.getByText(en.password.loginHint)).toBeVisible()
  const before = await next.boundingBox()
  await password.fill('correct horse battery staple 42')
  await expect(page.getByText(en.password.loginHint)).toHaveCount(0)
  expect(await next.boundingBox()).toEqual(before)
})
