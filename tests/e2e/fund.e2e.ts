import en from '../../locales/en.json' with { type: 'json' }
import { logIn, openHome } from './member.ts'
import { expect, test } from './test.ts'

const { common, fund, limits, nav, password, settings, title } = en

test('a fund deposit shows its dates first and then appears as a pending lot @short', async ({ page }) => {
  await openHome(page)
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))

  await test.step('the fourth tab opens the fund', async () => {
    await page.getByRole('link', { name: nav.fund, exact: true }).click()
    await expect(page.getByRole('heading', { name: title.fund })).toBeVisible()
    await expect(page.getByText(fund.nothingPending)).toBeVisible()
    await expect(page.getByRole('img', { name: /7-day annualised yield/ })).toBeVisible()
  })

  await test.step('a transfer in counts once, however often the button is tapped', async () => {
    await page.getByRole('link', { name: fund.transferIn }).click()
    await expect(page.getByRole('heading', { name: fund.whatWhen })).toBeVisible()
    await page.getByLabel(fund.amount, { exact: true }).fill('1,000')
    await page.getByRole('button', { name: fund.inAmount.replace('{{amount}}', '1,000.00') }).dblclick()
    await expect(page.getByRole('heading', { name: fund.pendingLots })).toBeVisible()
    await expect(page.getByRole('heading', { name: '1,000.00', exact: true })).toHaveCount(1)
    await expect(page.getByText(fund.left.replace('{{in}}', '4').replace('{{out}}', '3'))).toBeVisible()
  })

  await test.step('nothing is confirmed yet, and the withdraw page says so', async () => {
    await page.getByRole('link', { name: fund.transferOut }).click()
    await expect(page.getByText(fund.noShare)).toBeVisible()
  })

  await test.step('the record, the lot and the rules agree', async () => {
    await page.goto('/#/pages/Particulars/Particulars?tab=records')
    await expect(page.getByText(fund.status.pending_review)).toBeVisible()
    await page.getByRole('tab', { name: fund.lots }).click()
    await expect(page.getByText(fund.stepCredited)).toBeVisible()
    await page.getByRole('tab', { name: fund.earnings }).click()
    await expect(page.getByText(fund.noEarnings)).toBeVisible()
    await page.goto('/#/pages/money/detail')
    await expect(page.getByRole('heading', { name: fund.transferOut, exact: true })).toBeVisible()
  })

  await test.step('total assets show their parts', async () => {
    await page.goto('/#/pages/user/user')
    await page.getByRole('button', { name: en.home.totalAssets }).click()
    await expect(page.getByRole('dialog')).toContainText('1,000.00')
    await expect(page.getByRole('dialog')).toContainText('9,000.00')
  })
  expect(pageErrors).toEqual([])
})

test('a member sets limits, ends another session and requests a new password', async ({ page, browser }) => {
  const member = await logIn(page)

  await test.step('a tighter limit applies at once, a looser one later', async () => {
    await page.goto('/#/pages/limits/limits')
    await page.getByRole('button', { name: limits.maxStake }).click()
    await page.getByLabel(limits.amount, { exact: true }).fill('500')
    await expect(page.getByText(limits.tighter)).toBeVisible()
    await page.getByRole('button', { name: limits.save }).click()
    await expect(page.getByRole('button', { name: limits.maxStake })).toContainText('500.00')
    await page.getByRole('button', { name: limits.maxStake }).click()
    await page.getByRole('radio', { name: limits.noLimit }).click()
    await expect(page.getByText('Higher limit: applies from')).toBeVisible()
    await page.getByRole('button', { name: limits.save }).click()
    await expect(page.getByRole('button', { name: limits.maxStake })).toContainText('No limit from')
  })

  await test.step('another device is logged out from this one', async () => {
    const other = await browser.newContext()
    const login = await other.request.post(new URL('/api/auth/login', page.url()).href, {
      data: { account: member.account, password: member.password },
    })
    expect(login.status()).toBe(200)
    await page.goto('/#/pages/sessions/sessions')
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: en.sessions.end }).click()
    await expect(page.getByText(en.sessions.onlyThis)).toBeVisible()
    const ended = await other.request.get(new URL('/api/me', page.url()).href)
    expect(ended.status()).toBe(401)
    await other.close()
  })

  await test.step('a new password is requested from customer service', async () => {
    await page.goto('/#/pages/set/set')
    await page.getByRole('link', { name: settings.modifyLogin }).click()
    await page.getByLabel(password.old, { exact: true }).fill(member.password)
    await page.getByLabel(password.new, { exact: true }).fill('another horse 42')
    await page.getByLabel(password.confirm, { exact: true }).fill('another horse 43')
    await page.getByRole('button', { name: password.submit }).click()
    await expect(page.getByText(en.error.PASSWORD_MISMATCH)).toBeVisible()
    await page.getByLabel(password.confirm, { exact: true }).fill('another horse 42')
    await page.getByRole('button', { name: password.submit }).click()
    await expect(page.getByRole('heading', { name: password.sentTitle })).toBeVisible()
  })

  await test.step('a pause asks for confirmation and then applies', async () => {
    await page.goto('/#/pages/limits/limits')
    await page.getByRole('button', { name: limits.choose }).click()
    await page.getByRole('dialog').getByRole('button', { name: common.cancel }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText(limits.notExcluded)).toBeVisible()
    await page.getByRole('button', { name: limits.choose }).click()
    await page.getByRole('dialog').getByRole('button', { name: limits.confirm }).click()
    await expect(page.getByText(/^Paused until/)).toBeVisible()
    await expect(page.getByRole('button', { name: limits.endEarly })).toBeVisible()
  })
})
