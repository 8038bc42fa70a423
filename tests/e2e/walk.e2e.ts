import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { inLanguage, logIn, product } from './member.ts'

const open = ['/#/', '/#/pages/login/login', '/#/pages/login/registerCheck', '/#/nowhere/at/all']
const member = [
  '/#/pages/index/index',
  '/#/pages/product/product',
  product('BTCUSDT'),
  product('IF'),
  '/#/pages/order/order?tab=records',
  '/#/pages/order/order?tab=positions',
  '/#/pages/order/order?tab=closed',
  '/#/pages/user/user',
  '/#/pages/deposit/deposit',
  '/#/pages/withdraw-money/withdraw-money',
  '/#/pages/withdraw-list/withdraw-list',
  '/#/pages/withdraw-list/withdraw-open',
  '/#/pages/account/account',
  '/#/pages/account/account-detail',
  '/#/pages/money-record/money-record',
  '/#/pages/verify/verify',
  '/#/pages/set/set',
]

/** A key that no pack had would stand on the page as `area.name`. */
const rawKey =
  /\b(common|error|field|home|products|product|ticket|orders|order|proof|me|settings|chart|wallet|deposit|withdraw|account|verify|records)\.[a-z]\w+\b/

for (const language of ['en', 'zh-CN']) {
  test(`no page is wider than 320 px or shows a raw key (${language})`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await logIn(page)
    await page.evaluate((code) => localStorage.setItem('language', code), language)
    await page.reload()
    for (const route of [...member, ...open]) {
      await page.goto(route)
      await expect(page.locator('h1').first()).toBeVisible()
      await page.waitForLoadState('networkidle').catch(() => undefined)
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wide, `${route} at 320 px`).toBeLessThanOrEqual(0)
      expect(await page.locator('body').innerText(), route).not.toMatch(rawKey)
    }
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await inLanguage(page, 'en')
    for (const route of open) await clean(page, route)
    await logIn(page)
    for (const route of member) await clean(page, route)
  })
}

async function clean(page: Parameters<typeof logIn>[0], route: string): Promise<void> {
  await page.goto(route)
  await expect(page.locator('h1').first()).toBeVisible()
  const found = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(
    found.violations.map(({ id, nodes }) => ({
      route,
      id,
      nodes: nodes.map((node) => node.target.join(' ')),
    })),
  ).toEqual([])
}
