import { languages } from '../../contract/constants.ts'
import en from '../../locales/en.json' with { type: 'json' }
import zhCN from '../../locales/zh-CN.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { axeViolations } from '../pageSweep/axe.ts'
import { createSample, withOpenOrders, type Sample } from '../pageSweep/sample.ts'
import { simulateTrouble, troubles } from '../pageSweep/troubles.ts'
import { stops } from '../pageSweep/stops.ts'
import { applyLayout, visit, openVisitor } from '../pageSweep/visit.ts'
import { checkLayouts, sweep } from '../pageSweep/sweep.ts'
import type { Findings } from '../scenarios/findings.ts'
import { deskKey } from './officeCalls.ts'
import { expect, test as base } from './test.ts'

const test = base.extend<{ origin: string; sample: Sample }>({
  origin: async ({ baseURL }, provide) => provide(baseURL ?? ''),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's dependencies from the pattern.
  sample: async ({}, provide) => provide(shared),
})
// In one worker, with one sample: to make one takes longer than to visit ten pages.
test.describe.configure({ mode: 'default', timeout: 600_000 })

/** One member with data for all sweeps. A fixture of the worker would make this file, the longest, begin after all others. */
let shared: Sample
test.beforeAll(async ({ baseURL }) => {
  shared = await createSample(baseURL ?? '', deskKey, { ownVenue: false })
})
test.afterAll(() => shared.client.close())

const reducedMotion = { reducedMotion: 'reduce' } as const
const phone = { width: 390, height: 844 }
const smallestPhone = { width: 320, height: 640 }
const mainStops = [
  'home',
  'products',
  'product',
  'orders-records',
  'order-closed',
  'fund',
  'user',
  'deposit',
  'withdraw',
  'settings',
  'login',
  'welcome',
]
const betweenPhoneAndDesktop = [
  { width: 844, height: 390 },
  { width: 1024, height: 768 },
]

test('the sweep visits every path of the app, and orders by both rules', ({ sample }) => {
  const all = stops(sample)
  const visited = new Set(all.map(({ href }) => href.slice(2).split('?')[0]))
  expect(Object.values(paths).filter((path) => !visited.has(path))).toEqual([])
  const names = new Set(all.map(({ name }) => name))
  expect([...stopsWithAmounts, ...mainStops].filter((name) => !names.has(name))).toEqual([])
  expect(sample.averaged).toBeDefined()
})

test('axe reports a control without a name each time it looks at a document', async ({ page }) => {
  await page.setContent('<html lang="en"><title>t</title><main><h1>t</h1><button></button></main></html>')
  for (const where of ['first', 'second']) {
    expect(await axeViolations(page, where)).toEqual([{ where, id: 'button-name', nodes: ['button'] }])
  }
})

/** The pages where a member sees or types amounts of their own. */
const stopsWithAmounts = new Set([
  'home',
  'product',
  'product-order-ended',
  'orders-records',
  'orders-positions',
  'orders-closed',
  'order-open',
  'order-closed',
  'user',
  'limits',
  'fund',
  'fund-records',
  'fund-earnings',
  'fund-lots',
  'transfer-in',
  'transfer-out',
  'deposit',
  'deposits',
  'deposits-one',
  'withdraw',
  'withdrawals',
  'withdrawals-one',
  'money-record',
  'messages',
])

// The campaign "pageSweep" has all languages, widths and troubles on all pages. Here are text without spaces on all of
// them and the longest words on those with amounts. Opening a page takes the most time, so each is opened once for all
// that is looked at.
test('zh-CN: nothing is cut at 320 px, axe finds nothing, and amounts say practice money', async ({
  browser,
  sample,
  origin,
}) => {
  const language = 'zh-CN'
  const layouts: Findings = { tried: 0, violations: [] }
  const found: unknown[] = []
  const options = { origin, language, viewport: phone, ...reducedMotion }
  const visited = await sweep(browser, sample, options, async ({ page }, { name }) => {
    await checkLayouts(page, `${name}, ${language}`, [smallestPhone], layouts)
    await applyLayout(page, phone)
    found.push(...(await axeViolations(page, name)))
    // The dark theme has other colours and nothing else.
    if (mainStops.includes(name)) {
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await axeViolations(page, `${name}, dark`, ['color-contrast'])))
      await page.emulateMedia({ colorScheme: 'light' })
    }
    if (!stopsWithAmounts.has(name)) return
    const label = page.getByText(zhCN.common.practice, { exact: true }).filter({ visible: true })
    if ((await label.count()) === 0) found.push(`${name}: no practice label`)
  })
  expect(layouts.violations).toEqual([])
  expect(found).toEqual([])
  expect(layouts.tried).toBe(visited)
  expect(visited).toBeGreaterThan(mainStops.length)
})

test('de: nothing is cut or covered on pages with amounts at 320 px, with text twice as large, and on tablets', async ({
  browser,
  sample,
  origin,
}) => {
  const language = 'de'
  const layouts: Findings = { tried: 0, violations: [] }
  const only = [...new Set([...mainStops, ...stopsWithAmounts])]
  const options = { origin, language, viewport: phone, only, ...reducedMotion }
  const names = new Set<string>()
  const visited = await sweep(browser, sample, options, async ({ page }, { name }) => {
    names.add(name)
    const sizes = [smallestPhone, { ...phone, textScale: 2 }]
    if (mainStops.includes(name)) sizes.push(...betweenPhoneAndDesktop)
    await checkLayouts(page, `${name}, ${language}`, sizes, layouts)
  })
  expect(layouts.violations).toEqual([])
  expect([...names].toSorted()).toEqual(only.toSorted())
  expect(layouts.tried).toBe(2 * visited + mainStops.length * betweenPhoneAndDesktop.length)
})

/** The pages whose bar has the most icons or the longest title beside one. */
const stopsWithIcons = ['messages', 'fund', 'orders-records', 'money-record', 'withdrawals']

test('no title breaks beside the icons of its bar at 320 px, in any language', async ({
  browser,
  sample,
  origin,
}) => {
  const broken: string[] = []
  for (const language of languages) {
    const options = { origin, language, viewport: smallestPhone, only: stopsWithIcons, ...reducedMotion }
    await sweep(browser, sample, options, async ({ page }, { name }) => {
      const bar = page.locator('[data-title-bar]')
      await expect(bar.locator('[data-icon-button]').nth(1)).toBeVisible()
      if (!(await bar.evaluate(isOneLine))) broken.push(`${name}, ${language}`)
    })
  }
  expect(broken).toEqual([])
})

/** Runs in the page. */
function isOneLine(bar: Element): boolean {
  const title = bar.querySelector('h1') ?? bar
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(title)
  const lines = [lineHeight, paddingTop, paddingBottom].reduce((sum, px) => sum + parseFloat(px), 0)
  return title.getBoundingClientRect().height < lines + 1 && bar.getBoundingClientRect().height < 53
}

const troubleStops = new Set(['home', 'product', 'orders-records', 'fund', 'messages'])

test('axe finds nothing while pages load, when they fail and offline', async ({
  browser,
  sample,
  origin,
}) => {
  const found: unknown[] = []
  const chosen = stops(await withOpenOrders(sample)).filter(({ name }) => troubleStops.has(name))
  for (const state of troubles) {
    const options = { origin, language: 'en', viewport: phone, ...reducedMotion }
    const visitor = await openVisitor(browser, sample, { ...options, as: 'member' })
    const { page, context } = visitor
    await simulateTrouble(visitor, origin, state, chosen)
    for (const { name, href } of chosen) {
      await page.goto(origin + href)
      await expect(page.locator('h1').first()).toBeVisible()
      found.push(...(await axeViolations(page, `${name}, ${state}`)))
    }
    await context.close()
  }
  expect(found).toEqual([])
})

test('axe finds nothing on sheets, dialogs and a product in maintenance', async ({
  browser,
  sample,
  origin,
}) => {
  const found: unknown[] = []
  const options = { origin, language: 'en', viewport: phone, ...reducedMotion }
  const { page, context } = await openVisitor(browser, sample, { ...options, as: 'member' })
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog')).last()
  const checkDialog = async (name: string): Promise<void> => {
    await expect(dialog).toBeVisible()
    found.push(...(await axeViolations(page, name)))
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await visit(page, origin, { href: `/#${paths.product}?id=BTCUSDT` })
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  await checkDialog('confirm order')
  await visit(page, origin, { href: `/#${paths.user}` })
  await page.getByRole('button', { name: en.home.totalAssets }).click()
  await checkDialog('total assets')
  await page.getByRole('button', { name: en.me.logOut }).click()
  await checkDialog('log out')
  await visit(page, origin, { href: `/#${paths.limits}` })
  await page.getByRole('button', { name: en.limits.maxStake }).click()
  await checkDialog('limit')
  await sample.client.office('POST', '/products/IF/maintenance', {})
  await visit(page, origin, { href: `/#${paths.product}?id=IF` })
  found.push(...(await axeViolations(page, 'maintenance')))
  await sample.client.office('POST', '/products/IF/open')
  await context.close()

  const guest = await openVisitor(browser, sample, { ...options, as: 'guest' })
  await visit(guest.page, origin, { href: `/#${paths.welcome}` })
  await guest.page.getByText(en.welcome.register, { exact: true }).click()
  await expect(guest.page.getByText(en.welcome.riskFirst)).toBeVisible()
  found.push(...(await axeViolations(guest.page, 'risk consent')))
  await guest.page.getByRole('button', { name: 'risk warning' }).click()
  await expect(guest.page.getByRole('dialog')).toBeVisible()
  found.push(...(await axeViolations(guest.page, 'risk warning')))
  await guest.context.close()
  expect(found).toEqual([])
})
