import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import { decide } from './officeCalls.ts'
import { inLanguage, logIn, logInByForm, openAccount, openHome, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'
import { bindAccount, fillVerification } from './accountForms.ts'
import { fillLate } from './fillLate.ts'
import { expect, test } from './test.ts'

const { account, deposit, password, settings, ticket, title, verify, wallet, withdraw } = en

test('a member deposits, trades, verifies, binds an account and withdraws, and the back office pays', async ({
  page,
}) => {
  test.slow()
  const member = await logIn(page)
  await page.goto('/#/pages/deposit/deposit')
  await page.getByLabel(wallet.amount, { exact: true }).fill('500')
  await page.getByRole('button', { name: deposit.submit.replace('{{amount}}', '500.00') }).click()
  await expect(page.getByRole('link', { name: '500.00' })).toContainText(wallet.status.successful)

  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: ticket.seconds.replace('{{n}}', '5') }).check()
  await page.getByRole('button', { name: ticket.buyUp }).click()
  await confirm(page).click()
  await expectPlaced(page)
  await page.goto('/#/pages/order/order?tab=closed')
  const order = page.getByRole('link', { name: /BTC\/USDT/ }).first()
  await expect(order).toContainText(/Won|Lost|Tie/)
  const assets = (await (await page.request.get('/api/me/assets')).json()) as Record<string, string>

  await page.goto('/#/pages/withdraw-money/withdraw-money')
  await page.getByRole('link', { name: withdraw.verify }).click()
  await fillVerification(page)
  await page.getByRole('button', { name: verify.submit }).click()
  await expect(page.getByRole('heading', { name: verify.underReview })).toBeVisible()
  await decide(page, 'verifications', 'approve')
  await page.getByRole('link', { name: title.withdraw }).click()
  await page.getByRole('link', { name: account.bind }).click()
  await bindAccount(page, member)

  await page.goto('/#/pages/withdraw-money/withdraw-money')
  await page.getByLabel(wallet.amount, { exact: true }).fill('300')
  await page.getByLabel(withdraw.password).fill(member.transactionPassword)
  await page.getByRole('button', { name: title.withdraw, exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: withdraw.confirm.replace('{{amount}}', '300.00') })
    .click()
  const row = page.getByRole('link', { name: '300.00' })
  await expect(row).toContainText(wallet.status.under_review)
  await decide(page, 'withdrawals', 'approve')
  await expect(row).toContainText(wallet.status.successful)
  await row.click()
  await expect(page.getByText(withdraw.step.paid, { exact: true })).toBeVisible()
  const after = (await (await page.request.get('/api/me/assets')).json()) as Record<string, string>
  expect([after['held'], Number(assets['total']) - Number(after['total'])]).toEqual(['0.00', 300])
})

test('a requested password is valid after the back office approves it, and the old one and other sessions end', async ({
  page,
  browser,
}) => {
  const member = await openHome(page)
  const login = (secret: string) =>
    page.request.fetch(new URL('/api/auth/login', page.url()).href, {
      method: 'POST',
      data: { account: member.account, password: secret },
    })
  const other = await browser.newContext()
  const otherLogin = await other.request.post(new URL('/api/auth/login', page.url()).href, {
    data: { account: member.account, password: member.password },
  })
  expect(otherLogin.status()).toBe(200)

  await page.goto('/#/pages/set/set')
  await page.getByRole('link', { name: settings.modifyLogin }).click()
  await expect(page.getByText(password.note)).toBeVisible()
  await page.getByLabel(password.old, { exact: true }).fill(member.password)
  await page.getByLabel(password.new, { exact: true }).fill('another horse 42')
  await page.getByLabel(password.confirm, { exact: true }).fill('another horse 42')
  await page.getByRole('button', { name: password.submit }).click()
  await expect(page.getByRole('heading', { name: password.sentTitle })).toBeVisible()
  const me = new URL('/api/me', page.url()).href
  expect((await other.request.get(me)).status()).toBe(200)

  await decide(page, 'password-requests', 'approve')
  expect((await other.request.get(me)).status()).toBe(401)
  await other.close()
  await page.context().clearCookies()
  expect((await login(member.password)).status()).toBe(401)
  expect((await login('another horse 42')).status()).toBe(200)
})

test('the language changes on home and in settings without a reload, and half-filled forms are preserved', async ({
  page,
}) => {
  await inLanguage(page, 'en')
  await page.goto('/#/pages/login/registerCheck')
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.getByLabel(en.register.account, { exact: true }).fill('half_a_na')
  await page.getByRole('combobox', { name: en.common.language }).selectOption('de')
  await expect(page.getByLabel(de.register.account, { exact: true })).toHaveValue('half_a_na')
  await page.getByRole('combobox', { name: de.common.language }).selectOption('en')

  await logInByForm(page)
  loads = 0
  await page.getByRole('combobox', { name: en.common.language }).selectOption('de')
  await expect(page.getByRole('link', { name: de.nav.products, exact: true }).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('de')

  await page.goto('/#/pages/service/service')
  await page.getByRole('textbox', { name: de.service.write }).fill('half a sentence')
  await page.goto('/#/pages/set/set')
  await page.getByRole('combobox', { name: de.common.language }).selectOption('en')
  await expect(page.getByRole('heading', { name: title.settings })).toBeVisible()
  await page.goto('/#/pages/service/service')
  await expect(page.getByRole('textbox', { name: en.service.write })).toHaveValue('half a sentence')
  expect(loads).toBe(0)
})

test('what a password manager sets last, without an event after it, is sent', async ({ page }) => {
  await inLanguage(page, 'en')
  const { account, password } = await openAccount(page)
  await page.goto('/#/pages/login/login')
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field(en.login.password).focus()
  await fillLate(field(en.login.account), account)
  await fillLate(field(en.login.password), password)
  await page.getByRole('button', { name: en.login.submit, exact: true }).click()
  await expect(page.getByText('10,000.00').first()).toBeVisible()
})
