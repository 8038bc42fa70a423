import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

test('a result is shown on another page, and its terms are ordered again', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: '5 s' }).check()
  await page.getByRole('button', { name: 'Buy down' }).click()
  const sheet = page.getByRole('dialog')
  await confirm(page).click()
  await expectPlaced(page)
  await page.getByRole('button', { name: en.common.back }).click()

  const toasts = page.getByRole('region', { name: en.common.notices })
  await expect(toasts).toContainText(/BTC\/USDT · Down, 100\.00 · (Won|Lost|Tied)/)
  await toasts.getByRole('link', { name: en.order.seeProof }).click()
  await page.getByRole('button', { name: en.order.againTerms }).click()

  await expect(sheet).toContainText('Buy down BTC/USDT')
  await expect(sheet).toContainText('5 s')
  await expect(confirm(page)).toHaveText('Buy down 100.00')
  await confirm(page).click()
  await expectPlaced(page)
  await expect(page.getByRole('region', { name: 'Positions' }).getByRole('timer')).toBeVisible()
})
