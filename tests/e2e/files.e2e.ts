import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import type { ReportFile } from '../../src/report/reportFile.ts'
import { faultProxy, type FaultProxy } from '../support/faultProxy.ts'
import { textOf } from './download.ts'
import { logIn, product } from './member.ts'
import { expect, test as base } from './test.ts'

const test = base.extend<{ network: FaultProxy }>({
  network: async ({ baseURL }, provide) => {
    const proxy = await faultProxy(Number(new URL(baseURL ?? '').port))
    await provide(proxy)
    await proxy.close()
  },
})

/** Every page with an export: its URL, the file's name and the start of the file. */
const files = [
  ['/#/pages/order/order?tab=records', 'orders.csv', '"id","no"'],
  ['/#/pages/money-record/money-record', 'ledger.csv', '"id"'],
] as const
const exportCsv = (page: Page) =>
  page.getByRole('button', { name: en.orders.csv }).or(page.getByRole('link', { name: en.orders.csv }))
const failed = (name: string, why: string): string => `${en.file.failed.replace('{{name}}', name)}. ${why}`

for (const [address, name, start] of files) {
  test(`${name} is saved; if the venue is unreachable the app stays open and says why`, async ({
    page,
    network,
  }) => {
    await logIn(page, network.url)
    await page.goto(network.url + address)
    const saving = page.waitForEvent('download')
    await exportCsv(page).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(name)
    expect((await textOf(saved)).startsWith(start)).toBe(true)
    await expect(page.getByText(en.file.saved.replace('{{name}}', name))).toBeVisible()

    network.cut()
    await exportCsv(page).click()
    await expect(page.getByText(failed(name, en.error.OFFLINE))).toBeVisible()
    expect(page.url()).toBe(network.url + address)
    network.restore()
  })
}

test('a report has the prices of the page before, and nothing of the member', async ({ page }) => {
  const member = await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.getByRole('button', { name: en.ticket.buyUp })).toBeEnabled()
  // The ticket works with the price of the subscription; the report has what came after it.
  const price = page.getByText(/^\d{2},\d{3}\.\d{2}$/).first()
  const before = await price.textContent()
  await expect(price).not.toHaveText(before ?? '')
  await page.evaluate((path) => (location.hash = path), paths.settings)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: en.report.save }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^uptick-report-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.json$/)
  const text = await textOf(saved)
  const report = JSON.parse(text) as ReportFile
  expect(report).toMatchObject({
    page: paths.settings,
    previousPage: `${paths.product}?id=BTCUSDT`,
    language: 'en',
    online: true,
    errors: [],
  })
  expect(report.connection?.state).toBe('online')
  const received = report.wire.frames.flatMap(({ receivedAt, blocks }) =>
    blocks.filter(({ id }) => id === 'BTCUSDT').map(({ values }) => receivedAt - (values[0] ?? 0)),
  )
  expect(received.length).toBeGreaterThan(0)
  for (const delay of received) expect(Math.abs(delay)).toBeLessThan(60_000)
  for (const personal of [member.account, member.phone, 'token', '10000.00'])
    expect(text).not.toContain(personal)
})

test('a rate-limited export and a starting venue show a text', async ({ page }) => {
  await logIn(page)
  await page.goto('/#/pages/order/order?tab=records')
  const answer = (status: number, code: string, headers = {}) =>
    page.route('**/api/orders.csv*', (route) =>
      route.fulfill({ status, headers, json: { error: { code, requestId: 'r' } } }),
    )
  await answer(429, 'RATE_LIMITED', { 'Retry-After': '40' })
  await exportCsv(page).click()
  const wait = en.error.RATE_LIMITED.replace('{{wait}}', '40 seconds')
  await expect(page.getByText(failed('orders.csv', wait))).toBeVisible()
  await page.unroute('**/api/orders.csv*')
  await answer(503, 'UNAVAILABLE')
  await exportCsv(page).click()
  await expect(page.getByText(failed('orders.csv', en.error.UNAVAILABLE))).toBeVisible()
  await expect(page.getByRole('heading', { name: en.orders.title })).toBeVisible()
})
