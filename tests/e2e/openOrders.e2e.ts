import type { ProductDetail } from '../../contract/products.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { openApiClient } from '../pageSweep/apiClient.ts'
import { openVisitor, visit } from '../pageSweep/visit.ts'
import { deskKey } from './officeCalls.ts'
import { logIn, openHome, product } from './member.ts'
import { buyUp, confirm, expectPlaced, placeForAMinute } from './network.ts'
import { expect, test } from './test.ts'

const home = '/#/pages/index/index'
const one = en.home.open_one.replace('{{count}}', '1')

test('an open order is on home and in the navigation, which lead to it', async ({ page }) => {
  await openHome(page)
  // The heading of the list of orders has a link to the same page.
  const line = page.locator('main a[href$="tab=positions"]').filter({ hasText: en.orders.ifEndedNow })
  await expect(line).toHaveCount(0)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: /^1 min/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await page.goto(home)
  await expect(line).toContainText('BTC/USDT')
  await expect(line).toContainText(/0:\d\d/)
  const tab = page.getByRole('navigation', { name: en.nav.label }).getByRole('link', { name: one })
  await expect(tab).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(tab).toContainText(en.title.orders)
  await page.setViewportSize({ width: 390, height: 844 })
  await line.click()
  await expect(page.getByRole('tab', { name: en.orders.positions, selected: true })).toBeVisible()
})

test('the page of a product names the orders that run on others, on a phone and beside the ticket', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await placeForAMinute(page)
  await page.goto(product('EURUSD'))
  const others = page.getByRole('link', { name: en.product.onOthers_one.replace('{{count}}', '1') })
  await expect(others).toContainText(/0:\d\d/)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByText(en.product.noneHere)).toBeVisible()
  await expect(others).toContainText(/0:\d\d/)
  await page.setViewportSize({ width: 390, height: 844 })
  await others.click()
  await expect(page.getByRole('tab', { name: en.orders.positions, selected: true })).toBeVisible()
})

test('of several orders on a phone no amount is cut, in a language of long words, and the link beside them is 44 px high', async ({
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? ''
  const client = await openApiClient(origin, deskKey)
  const place = async (productId: string, amount: string): Promise<void> => {
    const { now } = await client.get<{ now: number }>('/time')
    const { durations } = await client.get<ProductDetail>(`/products/${productId}`)
    const { seconds, rateBp } = durations.at(-1)!
    const terms = { productId, direction: 'down', amount, seconds, rateBp, validUntil: now + 20_000 }
    await client.send('POST', '/orders', terms)
  }
  await place('EURUSD', '50.00')
  for (const amount of ['10.00', '1250.00', '2000.50']) await place('BTCUSDT', amount)
  const options = { origin, language: 'vi', as: 'member', viewport: { width: 390, height: 844 } } as const
  const { page, context } = await openVisitor(browser, { client, registerInfo: null }, options)
  await visit(page, origin, { href: product('BTCUSDT') })
  for (const width of [320, 375, 390]) {
    await page.setViewportSize({ width, height: 667 })
    const amount = page.getByText('2.000,50', { exact: true })
    await expect(amount).toBeVisible()
    const cut = await amount.evaluate((node) => {
      const row = node.parentElement!.getBoundingClientRect()
      return node.getBoundingClientRect().right > row.right + 1
    })
    expect(cut, `${width} px`).toBe(false)
    const link = page.getByRole('link', { name: /^1 lệnh khác/ })
    const hit = await link.evaluate((node) => {
      const { left, top, bottom } = node.getBoundingClientRect()
      return [-21, 0, 21].map((offset) =>
        node.contains(document.elementFromPoint(left + 10, (top + bottom) / 2 + offset)),
      )
    })
    expect(hit, `${width} px`).toEqual([true, true, true])
  }
  await context.close()
  await client.close()
})

test('the alerts of all products are in one list, reached from messages and from a product', async ({
  page,
}) => {
  await logIn(page)
  for (const id of ['BTCUSDT', 'EURUSD']) {
    await page.goto(product(id))
    await page.getByRole('button', { name: en.alert.title }).click()
    const sheet = page.getByRole('dialog', { name: en.alert.title })
    await sheet.getByRole('radio', { name: en.alert.above }).check()
    await sheet.getByRole('textbox', { name: en.alert.price }).fill('900000')
    await sheet.getByRole('button', { name: en.alert.submit }).click()
    await expect(sheet.getByRole('listitem')).toHaveCount(1)
  }
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^All price alerts/ })
    .click()
  const products = page.locator('main').getByRole('region')
  await expect(products).toHaveCount(2)
  await page.goto('/#/pages/message/message')
  await page.getByRole('link', { name: en.title.alerts }).click()
  const bitcoin = page.getByRole('region', { name: 'BTC/USDT' })
  await bitcoin.getByRole('button').click()
  await expect(bitcoin).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'EUR/USD' }).getByRole('listitem')).toHaveCount(1)
})

test('a result takes no more than two lines on the smallest phone, in languages of long words, and its sum is not cut', async ({
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? ''
  for (const language of ['vi', 'de']) {
    const client = await openApiClient(origin, deskKey)
    const options = { origin, language, as: 'member', viewport: { width: 320, height: 640 } } as const
    const { page, context } = await openVisitor(browser, { client, registerInfo: null }, options)
    await visit(page, origin, { href: product('BTCUSDT') })
    const { durations } = await client.get<ProductDetail>('/products/BTCUSDT')
    const { seconds, rateBp } = durations.toSorted((a, b) => a.seconds - b.seconds)[0]!
    const { now } = await client.get<{ now: number }>('/time')
    const terms = { productId: 'BTCUSDT', direction: 'up', amount: '1250.00', seconds, rateBp }
    await client.send('POST', '/orders', { ...terms, validUntil: now + 20_000 })
    const card = page.locator('[data-order]')
    await expect(card.getByRole('timer')).toBeVisible()
    const height = async () => (await card.boundingBox())!.height
    expect(await height(), language).toBeLessThanOrEqual(65)
    await expect(card.getByRole('timer')).toHaveCount(0)
    expect(await height(), language).toBeLessThanOrEqual(65)
    const amount = (await card.getByText('1.250,00', { exact: true }).first().boundingBox())!
    const figure = card.getByRole('status').getByText(/^[+−]1\.[\d.]+,00$/)
    const result = (await figure.boundingBox())!
    expect(amount.x + amount.width, language).toBeLessThanOrEqual(
      (await card.getByRole('status').boundingBox())!.x,
    )
    const dismiss = (await card.getByRole('button').last().boundingBox())!
    expect(result.x + result.width, language).toBeLessThanOrEqual(dismiss.x + dismiss.width / 2)
    await context.close()
  }
})
