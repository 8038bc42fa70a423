import en from '../../locales/en.json' with { type: 'json' }
import { postToOffice } from './officeCalls.ts'
import { logIn, logOut, openAccount, openHome, product } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

test('the eye hides amounts on every page, also after a reload', async ({ page }) => {
  await openHome(page)
  const money = page.getByText('10,000.00')
  await page.getByRole('button', { name: en.home.hideAmounts }).click()
  await expect(page.getByRole('button', { name: en.home.showAmounts })).toBeVisible()
  await expect(money).toHaveCount(0)
  for (const tab of [en.nav.user, en.nav.fund, en.nav.home]) {
    await page.getByRole('link', { name: tab, exact: true }).first().click()
    await expect(page.getByText('••••••').first()).toBeVisible()
    await expect(money).toHaveCount(0)
  }
  await page.reload()
  await expect(page.getByText('••••••').first()).toBeVisible()
  await page.getByRole('button', { name: en.home.showAmounts }).click()
  await expect(money.first()).toBeVisible()
})

test('the ticket shows the member’s own limit before anything is sent', async ({ page }) => {
  await logIn(page)
  const orders: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/orders')) orders.push(request.url())
  })
  await page.goto('/#/pages/limits/limits')
  await page.getByRole('button', { name: en.limits.maxStake }).click()
  await page.getByLabel(en.limits.amount, { exact: true }).fill('50')
  await page.getByRole('button', { name: en.limits.save }).click()
  await expect(page.getByRole('button', { name: en.limits.maxStake })).toContainText('50.00')

  await page.goto(product('BTCUSDT'))
  const amount = page.getByRole('textbox', { name: /^Amount/ })
  await amount.fill('50.01')
  await expect(page.getByText(en.ticket.off.ownStake.replace('{{max}}', '50.00'))).toBeVisible()
  await expect(buyUp(page)).toHaveAttribute('aria-disabled', 'true')
  expect(orders).toEqual([])
  await amount.fill('50')
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await expect(page.getByRole('region', { name: en.product.positions })).toContainText('50.00')
  expect(orders).toHaveLength(1)
})

test('a sheet and typed amounts of one member are gone when another one logs in, in every tab', async ({
  page,
  context,
}) => {
  await logIn(page)
  const next = await openAccount(page)
  await page.goto(product('BTCUSDT'))
  const amount = page.getByRole('textbox', { name: /^Amount/ })
  await amount.fill('21')
  await buyUp(page).click()
  await expect(confirm(page)).toContainText('21.00')
  const orders: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/orders')) orders.push(request.url())
  })

  const other = await context.newPage()
  await logOut(other)
  await other.goto('/#/pages/login/login')
  await other.getByLabel(en.login.account).fill(next.account)
  await other.getByLabel(en.login.password, { exact: true }).fill(next.password)
  await other.getByRole('button', { name: en.login.submit, exact: true }).click()

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(amount).toHaveValue('100.00')
  expect(orders).toEqual([])
})

test('messages read in one window are no longer unread in another', async ({ page, context }) => {
  const { account } = await openHome(page)
  const bell = page.getByRole('link', { name: /^Messages, \d+ unread$/ })
  await postToOffice(page, '/messages', { to: account, title: 'Holiday', body: 'Friday.', lang: 'en' })
  const other = await context.newPage()
  await other.goto('/#/pages/message/message')
  await expect(other.getByText('Holiday')).toBeVisible()
  await expect(bell.first()).toBeVisible()
  await other.getByRole('button', { name: en.message.readAll }).click()
  await expect(bell).toHaveCount(0)
})
