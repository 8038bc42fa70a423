import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page, Route } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import type { Order } from '../../contract/orders.ts'
import { parseSignedReceipt } from '../../contract/signedReceipt.ts'
import { createSigner } from '../../server/market/publicLog/signer.ts'
import { hrefTo, pathWith } from '../../src/router/hashLocation.ts'
import { paths } from '../../src/paths.ts'
import { inLanguage, logIn, product } from './member.ts'
import { buyUp, confirm, expectPlaced, ordersOf } from './network.ts'
import { openChecks } from './proof.ts'
import { expect, test } from './test.ts'

const isFinal = ({ status }: { status: string }) => /won|lost|tied|refunded/.test(status)
const goTo = (page: Page, path: string) => page.evaluate((hash) => (location.hash = hash), path)

/** Places an order of five seconds through the ticket, and waits for its result. */
async function placeAndSettle(page: Page): Promise<Order> {
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio').first().check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await expect.poll(async () => (await ordersOf(page)).every(isFinal)).toBe(true)
  const [order] = (await ordersOf(page)) as unknown as Order[]
  if (!order) throw new Error('no order')
  return order
}

const openOrder = (page: Page, id: string) => goTo(page, pathWith(paths.order, { id }))

/** Chooses a file on the page #/check. */
async function checkFile(page: Page, file: string): Promise<void> {
  await goTo(page, paths.checkFile)
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText(en.checkFile.holds)).toBeVisible()
}

test('a signed order is the member’s own on the device that placed it, and only signed on another @short', async ({
  page,
  browser,
}, info) => {
  await logIn(page)
  const order = await placeAndSettle(page)
  await openOrder(page, order.id)
  await expect(page.getByText(/^Checked on this device/)).toBeVisible()
  await openChecks(page)
  await expect(page.getByText(/^Signed by Uptick/)).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: en.proof.download }).click()
  const file = info.outputPath('proof.json')
  await (await saving).saveAs(file)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    receipt: expect.stringMatching(/^uptick-order\/v1\n/),
  })
  await checkFile(page, file)
  await expect(page.getByText(en.checkFile.own)).toBeVisible()
  await expect(page.getByText(en.proof.agreed)).toBeVisible()

  const other = await browser.newPage()
  await inLanguage(other, 'en')
  await other.goto('/')
  await checkFile(other, file)
  await expect(other.getByText(/^Signed by Uptick/).first()).toBeVisible()
  await expect(other.getByText(en.proof.agreedFile)).toBeVisible()
  await expect(other.getByText(en.proof.agreed)).toHaveCount(0)
  await expect(other.getByText(en.checkFile.own)).toHaveCount(0)
  await other.close()
})

test('a venue that changes an order or denies it is shown what it signed', async ({ page }) => {
  await logIn(page)
  const order = await placeAndSettle(page)
  const one = `**/api/orders/${order.id}`
  await page.route(one, async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as Order), amount: '7777.00' } })
  })
  await page.goto('/healthz')
  await page.goto(`/${hrefTo(paths.order, { id: order.id })}`)
  const notice = page.getByRole('alert').filter({ hasText: /doesn’t match what Uptick signed: Amount/ })
  await expect(notice).toBeVisible()
  await expect(page.getByText(/^Signed by Uptick/).first()).toBeVisible()

  await page.route('**/api/orders?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { items: Order[] }
    const items = list.items.map((item) => ({ ...item, direction: 'down' }))
    await route.fulfill({ response, json: { ...list, items } })
  })
  await goTo(page, pathWith(paths.orders, { tab: 'records' }))
  await expect(page.getByText(en.orders.signedDiffers)).toBeVisible()

  await page.unroute(one)
  const missing = { error: { code: 'NOT_FOUND', requestId: 'x' } }
  await page.route(`${one}*`, (route) => route.fulfill({ status: 404, json: missing }))
  await page.goto('/healthz')
  await page.goto(`/${hrefTo(paths.order, { id: order.id })}`)
  await expect(page.getByRole('alert').filter({ hasText: en.order.signedDenied })).toBeVisible()
  await expect(page.getByText(order.no)).toBeVisible()
  await expect(page.getByText('BTC/USDT, up, 100.00')).toBeVisible()
})

test('a receipt that the venue has not signed is told, without a word that it has', async ({ page }) => {
  await logIn(page)
  // What the device keeps differs from the order, and its signature is not valid.
  await page.route('**/api/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    const order = (await response.json()) as Order
    const receipt = order.receipt?.replace('direction up', 'direction down')
    await route.fulfill({ response, json: { ...order, receipt } })
  })
  const order = await placeAndSettle(page)
  await openOrder(page, order.id)
  await expect(page.getByText(en.proof.receiptSignature).first()).toBeVisible()
  await expect(page.getByText(en.order.signedTitle)).toHaveCount(0)
  await goTo(page, pathWith(paths.orders, { tab: 'records' }))
  await expect(page.getByRole('link').filter({ hasText: order.no })).toBeVisible()
  await expect(page.getByText(en.orders.signedDiffers)).toHaveCount(0)

  const missing = { error: { code: 'NOT_FOUND', requestId: 'x' } }
  await page.route(`**/api/orders/${order.id}*`, (route) => route.fulfill({ status: 404, json: missing }))
  await page.goto('/healthz')
  await page.goto(`/${hrefTo(paths.order, { id: order.id })}`)
  await expect(page.getByRole('alert').filter({ hasText: en.order.receiptDenied })).toBeVisible()
})

test('a receipt that a throw-away key has signed raises the alarm on every page', async ({ page }) => {
  await logIn(page)
  const throwAway = createSigner(randomBytes(32))
  await page.route(/\/api\/orders(\/[^/?]+(\/proof.*)?)?$/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { receipt?: string }
    const read = typeof answer.receipt === 'string' ? parseSignedReceipt(answer.receipt) : null
    const [receipt] = read ? throwAway.signReceipts(read.receipt.origin, [read.receipt]) : [answer.receipt]
    await route.fulfill({ response, json: { ...answer, ...(read && { receipt }) } })
  })
  const order = await placeAndSettle(page)
  const banner = page
    .getByRole('alert')
    .filter({ hasText: `The result of order ${order.no} failed its check.` })
  await expect(banner).toBeVisible()
  await openOrder(page, order.id)
  await expect(page.getByRole('alert').filter({ hasText: en.order.receiptNotSigned })).toBeVisible()
  await expect(page.getByText(/^Signed with a key that isn’t Uptick’s: /).first()).toBeVisible()
  await expect(page.getByText(/^Signed by Uptick/)).toHaveCount(0)
})
