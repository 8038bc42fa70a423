import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { expect, test } from './test.ts'

/** Fails the next request for a file, as a tunnel or a gateway does; those after it pass. */
async function failOnce(page: Page, file: RegExp, status?: number): Promise<() => number> {
  let requests = 0
  await page.route(file, async (route) => {
    requests += 1
    if (requests > 1) await route.continue()
    else if (status === undefined) await route.abort('connectionreset')
    else await route.fulfill({ status, body: 'gateway timeout' })
  })
  return () => requests
}

for (const status of [undefined, 504]) {
  test(`"Try again" shows a page whose file failed once (${status ?? 'reset'})`, async ({ page }) => {
    await logIn(page)
    await page.goto('/#/pages/index/index')
    await expect(page.getByText('10,000.00').first()).toBeVisible()
    await failOnce(page, /\/assets\/Fund-[^/]+\.js$/, status)
    await page.getByRole('link', { name: en.nav.fund, exact: true }).first().click()
    await page.getByRole('button', { name: en.common.retry }).first().click()
    await expect(page.getByRole('link', { name: en.fund.details }).first()).toBeVisible()
    await expect(page).toHaveURL(/money\/money/)
  })
}

test('a sheet whose file failed once opens when it is tried again', async ({ page }) => {
  await logIn(page)
  await failOnce(page, /\/assets\/AlertSheet-[^/]+\.js$/)
  await page.goto(product('BTCUSDT'))
  const alerts = page.getByRole('button', { name: en.alert.title })
  await alerts.click()
  await expect(page.getByText(en.alert.failed)).toBeVisible()
  const reloaded = page.waitForEvent('load')
  await alerts.click()
  await reloaded
  await alerts.click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a language whose pack failed once is chosen when it is tried again', async ({ page }) => {
  await logIn(page)
  await page.goto('/#/pages/set/set')
  await failOnce(page, /\/assets\/ko-[^/]+\.js$/)
  const language = page.getByRole('main').getByRole('combobox', { name: en.common.language })
  await language.selectOption('ko')
  await expect(page.getByText(en.settings.languageFailed)).toBeVisible()
  await language.selectOption('ko')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  await expect(page).toHaveURL(/set\/set/)
})

test('a tab that cannot load the language chosen in another one stays as it is', async ({
  page,
  context,
}) => {
  await logIn(page)
  await page.goto('/#/pages/set/set')
  const other = await context.newPage()
  const errors: Error[] = []
  let loads = 0
  other.on('pageerror', (error) => errors.push(error))
  other.on('load', () => (loads += 1))
  await other.route(/\/assets\/ko-[^/]+\.js$/, (route) => route.abort('connectionreset'))
  await other.goto('/#/pages/about/about')
  const askedWhy = () =>
    other.waitForResponse((response) => new URL(response.url()).pathname === '/' && response.ok())
  const html = (of: Page) => of.locator('html')
  const choose = async (code: string): Promise<void> => {
    await page.getByRole('main').getByRole('combobox').selectOption(code)
    await expect(html(page)).toHaveAttribute('lang', code)
  }
  for (const shown of ['de', 'fr']) {
    const asked = askedWhy()
    await choose('ko')
    await asked
    await choose(shown)
    await expect(html(other)).toHaveAttribute('lang', shown)
  }
  expect([errors, loads]).toEqual([[], 1])
  await other.close()
})
