import { chromium } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { browserLaunch } from '../support/browser.ts'
import { inLanguage, openAccount, product } from './member.ts'
import { expect, test } from './test.ts'

test('over plain http in a network orders are placed and checked, and what the browser lacks is shown', async ({
  page: elsewhere,
  baseURL,
}) => {
  const member = await openAccount(elsewhere)
  const launch = await browserLaunch()
  const args = [...(launch.args ?? []), '--host-resolver-rules=MAP venue.test 127.0.0.1']
  const browser = await chromium.launch({ ...launch, args })
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, timezoneId: 'Asia/Shanghai' })
    const venue = (baseURL ?? '').replace('127.0.0.1', 'venue.test')
    await inLanguage(page, 'en')
    await page.goto(`${venue}/#/pages/login/login`)
    expect(
      await page.evaluate(() => [isSecureContext, 'subtle' in crypto, 'serviceWorker' in navigator]),
    ).toEqual([false, false, false])
    await page.getByLabel(en.login.account, { exact: true }).fill(member.account)
    await page.getByLabel(en.login.password, { exact: true }).fill(member.password)
    await page.getByRole('button', { name: en.login.submit }).click()
    await expect(page.getByText('10,000.00').first()).toBeVisible()

    await page.goto(venue + product('BTCUSDT'))
    await page.getByRole('radio', { name: '5 s' }).check()
    await page.getByRole('button', { name: en.ticket.buyUp }).click()
    await page.getByRole('dialog').getByRole('button', { name: en.ticket.buyUp }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.goto(`${venue}/#/pages/order/order?tab=closed`)
    await page
      .getByRole('link', { name: /BTC\/USDT/ })
      .first()
      .click()
    const checkedAt = en.proof.checkedAt.slice(0, en.proof.checkedAt.indexOf('{{'))
    await expect(page.getByText(checkedAt)).toBeVisible()

    await page.goto(`${venue}/#/pages/set/set`)
    await expect(page.getByText(en.settings.insecureText)).toBeVisible()
    await expect(page.getByText(en.notifications.insecure)).toHaveCount(2)
    await page.goto(`${venue}/#/pages/security/security`)
    await expect(page.getByText(en.notifications.insecure)).toBeVisible()
  } finally {
    await browser.close()
  }
})
