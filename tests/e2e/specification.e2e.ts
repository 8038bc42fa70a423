import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { setMaintenance } from './officeCalls.ts'
import { inLanguage, logIn, logInByForm, openHome, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

const { common, home, me, nav, orders, products, settings, ticket, title } = en

/** Expects each text to be visible on the open page. */
async function expectTexts(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await expect(page.getByText(text, { exact: true }).locator('visible=true').first(), text).toBeVisible()
  }
}

/** The routes of the specification and their titles. */
const routes: [route: string, heading: string][] = [
  ['pages/index/index', title.home],
  ['pages/product/product', title.products],
  ['pages/money/money', title.fund],
  ['pages/user/user', title.account],
  ['pages/set/set', title.settings],
  ['pages/account/account', title.withdrawalAccount],
  ['pages/account/account-detail', title.withdrawalAccountDetail],
  ['pages/money-record/money-record', title.moneyRecord],
  ['pages/order/order', title.orders],
  ['pages/withdraw-list/withdraw-list', title.withdrawals],
  ['pages/withdraw-list/withdraw-open', title.deposits],
  ['pages/verify/verify', title.verify],
  ['pages/withdraw-money/withdraw-money', title.withdraw],
  ['pages/message/message', title.messages],
  ['pages/aboutUs/aboutUs', title.about],
  ['pages/Particulars/Particulars', title.fundDetails],
  ['pages/money/detail', title.fundRules],
  ['pages/yinsi/yinsi', title.privacy],
  ['pages/yinsi/gy', title.privacy2],
  ['pages/password/password', title.password],
  ['pages/password/password?kind=transaction', title.password],
  ['pages/Detail/Detail?id=BTCUSDT', title.product],
]

test('every route of the specification opens its page', async ({ page }) => {
  test.slow()
  await inLanguage(page, 'en')
  for (const route of ['', 'pages/welcome/welcome']) {
    await page.goto(`/#/${route}`)
    await expect(page.getByText(en.welcome.register, { exact: true })).toBeVisible()
  }
  for (const route of ['pages/login/registerCheck', 'pages/login/login']) {
    await page.goto(`/#/${route}`)
    await expect(page.locator('h1').first()).toBeVisible()
  }
  await logInByForm(page)
  for (const [route, heading] of routes) {
    await page.goto(`/#/${route}`)
    await expect(page, route).toHaveTitle(`${heading} · Uptick`)
    await expect(page.locator('h1').first(), route).toBeVisible()
  }
  await page.goto('/#/pages/transfer/transfer')
  await expect(page.getByRole('heading', { name: en.fund.whatWhen })).toBeVisible()
  await page.goto('/#/pages/index/index')
  await page.getByRole('region', { name: home.news }).locator('a[href*="index/detail"]').first().click()
  await expect(page).toHaveURL(/#\/pages\/index\/detail\?/)
  await expect(page.locator('article').first()).toBeVisible()
})

test('each screen has what the specification lists', async ({ page }) => {
  test.slow()
  await openHome(page)
  await test.step('home', async () => {
    for (const tab of [nav.home, nav.products, nav.fund, nav.user]) {
      await expect(page.getByRole('link', { name: tab, exact: true }).first()).toBeVisible()
    }
    await expectTexts(page, [
      home.quickDeposit,
      home.trade,
      home.orders,
      home.method,
      home.about,
      home.messages,
    ])
    await expectTexts(page, [home.support, home.privacy, home.recommended, home.highlights, home.news])
    await expect(page.getByRole('combobox', { name: common.language })).toBeVisible()
    for (const tab of [home.records, home.positions, home.closed]) {
      await expect(page.getByRole('tab', { name: tab })).toBeVisible()
    }
    const row = page.getByRole('link', { name: /BTC\/USDT/ }).first()
    await expect(row).toContainText(/\d\.\d\d/)
    await expect(row).toContainText(/%/)
    await expect(row).toContainText(products.vol.replace('{{volume}}', ''))
  })

  await test.step('products', async () => {
    await page.goto('/#/pages/product/product')
    await expect(page.getByPlaceholder('Search products')).toBeVisible()
    for (const tab of Object.values(products.category)) {
      await expect(page.getByRole('tab', { name: tab })).toBeVisible()
    }
  })

  await test.step('product detail', async () => {
    await page.goto(product('BTCUSDT'))
    const detail = en.product
    for (const label of [detail.high, detail.low, detail.volume, detail.amount]) {
      await expect(page.locator('dt', { hasText: label }).first()).toBeAttached()
    }
    await expect(page.getByRole('button', { name: ticket.buyUp })).toBeVisible()
    await expect(page.getByRole('button', { name: ticket.buyDown })).toBeVisible()
    await expect(
      page
        .getByLabel(ticket.moreAmounts)
        .locator('option', { hasText: ticket.max.replace('{{amount}}', '') }),
    ).toHaveCount(1)
    await expect(page.getByRole('radio').first()).toBeAttached()
    await expect(page.getByText(ticket.breakEvenShort).first()).toBeVisible()
    await page.getByRole('radio', { name: ticket.minutes.replace('{{n}}', '1') }).check()
    await page.getByRole('button', { name: ticket.buyDown }).click()
    await expectTexts(page, [ticket.confirm, ticket.rate, ticket.duration])
    await confirm(page).click()
    await expectPlaced(page)
    await expect(page.getByRole('timer').first()).toBeVisible()
  })

  await test.step('order', async () => {
    await page.goto('/#/pages/order/order')
    for (const tab of [orders.records, orders.positions, orders.closed]) {
      await expect(page.getByRole('tab', { name: tab })).toBeVisible()
    }
    await page
      .getByRole('link', { name: /BTC\/USDT/ })
      .first()
      .click()
    const { number, amount, entry, closes } = en.order
    for (const label of [number, amount, entry, closes]) {
      await expect(page.getByText(label).first(), label).toBeVisible()
    }
  })

  await test.step('personal centre', async () => {
    await page.goto('/#/pages/user/user')
    await expectTexts(page, [
      me.level.general,
      me.creditScore,
      me.notVerified,
      home.totalAssets,
      home.available,
    ])
    await expectTexts(page, [
      home.todayPnl,
      me.accountPnl,
      home.deposit,
      home.withdraw,
      title.verify,
      me.orderRecord,
    ])
    await expectTexts(page, [title.deposits, title.withdrawals, title.moneyRecord, title.withdrawalAccount])
    await expect(page.getByRole('link', { name: title.settings })).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: common.copy }).click()
    await expect(page.getByText('account-opening code copied successfully')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[0-9A-Z]{8}$/)
    await page.getByRole('button', { name: me.logOut }).click()
    await expect(page.getByText('Are you sure you want to log out?')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('settings: clearing the cache asks for confirmation and logs out', async () => {
    await page.goto('/#/pages/set/set')
    await expectTexts(page, [common.language, settings.loginPassword, settings.transactionPassword, '1.0.0'])
    await expect(page.getByText(settings.modify, { exact: true })).toHaveCount(2)
    await expect(page.getByText(settings.passwordNote.replace(/<\/?service>/g, ''))).toBeVisible()
    await page.getByRole('button', { name: settings.clearCache }).click()
    await expect(page.getByText(settings.clearCacheConfirm)).toBeVisible()
    await page.getByRole('button', { name: settings.continue }).click()
    // The member is logged out when the app returns to the first page.
    await expect(page).not.toHaveURL(/#\/pages\/set/)
    await page.goto('/#/pages/user/user')
    await expect(page.getByLabel(en.login.account, { exact: true })).toBeVisible()
  })
})

test('a product under maintenance shows this with its opening time', async ({ page }) => {
  await logIn(page)
  await page.goto(product('EURUSD'))
  await expect(page.getByRole('button', { name: ticket.buyUp })).toBeVisible()
  await setMaintenance(page, 'products/EURUSD', Date.now() + 3_600_000)
  await expect(page.getByText('Under Maintenance').first()).toBeVisible()
  await expect(page.getByText('Opening Time')).toBeVisible()
  await expect(page.getByRole('button', { name: ticket.buyUp })).toBeHidden()
  await setMaintenance(page, 'products/EURUSD', null)
  await expect(page.getByRole('button', { name: ticket.buyUp })).toBeVisible()
})
