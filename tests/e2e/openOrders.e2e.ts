import en from '../../locales/en.json' with { type: 'json' }
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
