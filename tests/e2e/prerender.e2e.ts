import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import de from '../../locales/de.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import zhCN from '../../locales/zh-CN.json' with { type: 'json' }

const packs = { 'zh-CN': zhCN, ja, de }

/** Blocks the app's code, so that the page shows only what is prerendered. */
const withoutApp = (page: Page) => page.route(/\/assets\/index-[^/]*\.js$/, (route) => route.abort())
const box = (page: Page) => page.getByRole('heading', { level: 1, includeHidden: true }).boundingBox()

for (const [language, pack] of Object.entries(packs)) {
  test(`the landing page is prerendered in ${language}, where the app renders it`, async ({ page }) => {
    await page.addInitScript((code) => localStorage.setItem('language', code), language)
    await withoutApp(page)
    await page.goto('/')
    await expect(page.locator('h1')).toHaveText(pack.welcome.promise)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('[data-first-paint]')).toContainText(
      pack.welcome.riskAccept.replaceAll(/<\/?notice>/g, ''),
    )
    const prerenderedBox = await box(page)
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: pack.welcome.promise })).toBeVisible()
    await expect(page.locator('[data-first-paint]')).toHaveCount(0)
    expect(await box(page)).toEqual(prerenderedBox)
  })
}

test('the prerendered landing page is hidden on other pages and for members', async ({ page }) => {
  await withoutApp(page)
  await page.goto('/#/pages/product/product')
  await expect(page.locator('[data-first-paint]')).toBeHidden()
  await page.evaluate(() => localStorage.setItem('session', '{"v":1,"token":"t","userInfo":{}}'))
  await page.goto('/?again')
  await expect(page.locator('[data-first-paint]')).toBeHidden()
})
