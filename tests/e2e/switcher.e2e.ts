import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'
import { swipe } from './touch.ts'

type Shift = { value: number; hadRecentInput: boolean }

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const list = (page: Page) => page.getByRole('navigation', { name: en.switcher.label })

test.describe('on a phone', () => {
  test.use({ hasTouch: true })

  test('the code opens a switcher with a search, and Back leads to where the first product was opened', async ({
    page,
  }) => {
    await logIn(page)
    await page.goto('/#/pages/product/product')
    await page.getByRole('link', { name: /EUR\/USD/ }).click()
    await expect(heading(page)).toContainText('EUR/USD')
    const sheet = page.getByRole('dialog', { name: en.switcher.title })
    const open = () => heading(page).getByRole('button').click()
    await open()
    await expect(sheet.getByRole('link', { name: /BTC\/USDT/ })).toContainText(/\d/)
    await sheet.getByRole('searchbox').fill('btcusdt')
    await expect(sheet.getByRole('link')).toHaveCount(1)
    await sheet.getByRole('link').click()
    await expect(sheet).toBeHidden()
    await expect(heading(page)).toContainText('BTC/USDT')
    await open()
    await expect(sheet.getByRole('region', { name: en.switcher.seen }).getByRole('link')).toContainText([
      'EUR/USD',
    ])
    await page.goBack()
    await expect(sheet).toBeHidden()
    await expect(heading(page)).toContainText('BTC/USDT')
    await page.goBack()
    await expect(page.getByRole('heading', { name: en.title.products })).toBeVisible()
  })

  test('the switcher and the alerts stay open when the phone is turned', async ({ page }) => {
    const upright = { width: 390, height: 844 }
    await page.setViewportSize(upright)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    const sheets = {
      [en.switcher.title]: heading(page).getByRole('button'),
      [en.alert.title]: page.getByRole('button', { name: en.alert.title }),
    }
    for (const [name, opens] of Object.entries(sheets)) {
      await opens.click()
      const field = page
        .getByRole('dialog', { name })
        .getByRole(name === en.alert.title ? 'textbox' : 'searchbox')
      await field.fill('7')
      await page.setViewportSize({ width: upright.height, height: upright.width })
      await expect(field).toHaveValue('7')
      await page.setViewportSize(upright)
      await expect(field).toHaveValue('7')
      await page.keyboard.press('Escape')
      await expect(field).toBeHidden()
    }
  })

  test('a swipe over the heading goes to the next product and back, where the order still runs', async ({
    page,
  }) => {
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await page.getByRole('radio', { name: '1 min' }).check()
    await buyUp(page).click()
    await confirm(page).click()
    await expectPlaced(page)
    const timer = page.getByRole('timer')
    await expect(timer).toBeVisible()
    const { y = 0 } = (await heading(page).boundingBox()) ?? {}
    await swipe(page, [300, y + 10], [100, y + 14])
    await expect(heading(page)).toContainText('ETH/USDT')
    await expect(timer).toBeHidden()
    await swipe(page, [100, y + 10], [300, y + 14])
    await expect(heading(page)).toContainText('BTC/USDT')
    await expect(timer).toBeVisible()
  })
})

test.describe('at 1024 px and wider', () => {
  for (const size of [
    { width: 1024, height: 768 },
    { width: 1920, height: 1080 },
  ]) {
    test(`a list of products with live prices stands beside the chart, at ${size.width}×${size.height}`, async ({
      page,
    }) => {
      await page.setViewportSize(size)
      await logIn(page)
      await page.goto(product('BTCUSDT'))
      const current = list(page).locator('[aria-current]')
      await expect(current).toContainText('BTC/USDT')
      const price = await current.textContent()
      await expect.poll(() => current.textContent()).not.toBe(price)
      await list(page).getByRole('searchbox').fill('eth')
      await list(page)
        .getByRole('link', { name: /ETH\/USDT/ })
        .click()
      await expect(heading(page)).toHaveText('ETH/USDT')
      await expect(current).toContainText('ETH/USDT')
      await expect(heading(page)).toBeFocused()
    })
  }

  test('keys go to the next product and the one before, and not while one types', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await expect(buyUp(page)).toBeEnabled()
    await page.keyboard.press('n')
    await expect(heading(page)).toHaveText('ETH/USDT')
    await expect(buyUp(page)).toBeEnabled()
    await page.keyboard.press('p')
    await expect(heading(page)).toHaveText('BTC/USDT')
    await list(page).getByRole('searchbox').pressSequentially('pn')
    await expect(heading(page)).toHaveText('BTC/USDT')
  })

  test('nothing moves when the product changes', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await expect(buyUp(page)).toBeEnabled()
    await page.evaluate(() => {
      const shifts: number[] = []
      Object.assign(globalThis, { shifts })
      new PerformanceObserver((seen) => {
        for (const entry of seen.getEntries() as unknown as Shift[])
          if (!entry.hadRecentInput) shifts.push(entry.value)
      }).observe({ type: 'layout-shift' })
    })
    for (const code of ['ETH/USDT', 'BTC/USDT']) {
      await list(page)
        .getByRole('link', { name: new RegExp(code) })
        .click()
      await expect(heading(page)).toHaveText(code)
      await expect(buyUp(page)).toBeEnabled()
    }
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
    // A figure with a digit more than before begins further left.
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.005)
  })
})
