import { expect, test as base } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { axeViolations } from '../pageSweep/axe.ts'
import { createSample, withOpenOrders } from '../pageSweep/sample.ts'
import type { Sample } from '../pageSweep/sample.ts'
import { simulateTrouble, troubles } from '../pageSweep/troubles.ts'
import { stops } from '../pageSweep/stops.ts'
import { visit, openVisitor } from '../pageSweep/visit.ts'
import { sweepViolations, sweep } from '../pageSweep/sweep.ts'
import type { Findings } from '../scenarios/findings.ts'
import { backOfficeKey } from './backOffice.ts'

/** One member with data for all sweeps of a worker. */
const test = base.extend<{ origin: string }, { sample: Sample }>({
  origin: async ({ baseURL }, provide) => provide(baseURL ?? ''),
  sample: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's dependencies from the pattern.
    async ({}, provide, info) => {
      const sample = await createSample(String(info.project.use.baseURL), backOfficeKey, { ownVenue: false })
      await provide(sample)
      await sample.client.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
test.describe.configure({ timeout: 600_000 })

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
  { width: 820, height: 1180 },
  { width: 844, height: 390 },
  { width: 1024, height: 768 },
  { width: 1180, height: 820 },
] as const

const expectNoViolations = (
  { tried, violations }: Findings,
  { viewports }: { viewports: readonly unknown[] },
): void => {
  expect(violations).toEqual([])
  expect(tried).toBeGreaterThanOrEqual(mainStops.length * viewports.length)
}

test('the sweep visits every path of the app, and orders by both rules', ({ sample }) => {
  const visited = new Set(stops(sample).map(({ href }) => href.slice(2).split('?')[0]))
  expect(Object.values(paths).filter((path) => !visited.has(path))).toEqual([])
  expect(sample.averaged).toBeDefined()
})

// The campaign "pageSweep" has all languages on all pages: here are the longest words, text without spaces and, on the main
// pages, the tallest lines.
for (const [language, chosen] of [
  ['zh-CN', {}],
  ['de', {}],
  ['th', { only: mainStops }],
] as const) {
  test(`nothing is cut, covered or untranslated at 320 px (${language})`, async ({
    browser,
    sample,
    origin,
  }) => {
    const options = { origin, language, viewports: [smallestPhone], ...chosen, ...reducedMotion } as const
    expectNoViolations(await sweepViolations(browser, sample, options), options)
  })
}

test('nothing is cut or covered on tablets and on a phone in landscape (de)', async ({
  browser,
  sample,
  origin,
}) => {
  const viewports = betweenPhoneAndDesktop
  const options = { origin, language: 'de', viewports, only: mainStops, ...reducedMotion } as const
  expectNoViolations(await sweepViolations(browser, sample, options), options)
})

test('nothing is cut or covered with text twice as large (de)', async ({ browser, sample, origin }) => {
  const options = {
    origin,
    language: 'de',
    viewports: [phone],
    ...reducedMotion,
    textScale: 2,
  } as const
  expectNoViolations(await sweepViolations(browser, sample, options), options)
})

test('axe reports a control without a name each time it looks at a document', async ({ page }) => {
  await page.setContent('<html lang="en"><title>t</title><main><h1>t</h1><button></button></main></html>')
  for (const where of ['first', 'second']) {
    expect(await axeViolations(page, where)).toEqual([{ where, id: 'button-name', nodes: ['button'] }])
  }
})

// The dark theme has other colours and nothing else.
for (const [colorScheme, chosen] of [
  ['light', {}],
  ['dark', { only: mainStops }],
] as const) {
  test(`axe finds nothing on the pages (${colorScheme})`, async ({ browser, sample, origin }) => {
    const found: unknown[] = []
    const options = { origin, language: 'en', viewport: phone, colorScheme, ...chosen, ...reducedMotion }
    await sweep(browser, sample, options, async ({ page }, stop) => {
      found.push(...(await axeViolations(page, stop.name)))
    })
    expect(found).toEqual([])
  })
}

/** The pages where a member sees or types amounts of their own. */
const stopsWithAmounts = [
  'home',
  'product',
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
]

test('pages with amounts say that they are practice money', async ({ browser, sample, origin }) => {
  const without: string[] = []
  const options = { origin, language: 'en', viewport: phone, ...reducedMotion, only: stopsWithAmounts }
  const visited = await sweep(browser, sample, options, async ({ page }, { name }) => {
    const label = page.getByText(en.common.practice, { exact: true }).filter({ visible: true })
    if ((await label.count()) === 0) without.push(name)
  })
  expect(without).toEqual([])
  expect(visited).toBe(stopsWithAmounts.length)
})

const troubleStops = new Set([
  'home',
  'products',
  'product',
  'orders-records',
  'fund',
  'fund-records',
  'deposits',
  'messages',
  'news',
  'user',
  'service',
])

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
  await sample.client.backOffice('POST', '/products/IF/maintenance', {})
  await visit(page, origin, { href: `/#${paths.product}?id=IF` })
  found.push(...(await axeViolations(page, 'maintenance')))
  await sample.client.backOffice('POST', '/products/IF/open')
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
