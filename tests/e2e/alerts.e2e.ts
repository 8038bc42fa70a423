import { expect, test } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'

test('a price alert is set, reached, reported once and gone from the list', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('button', { name: en.alert.title }).click()
  const sheet = page.getByRole('dialog', { name: en.alert.title })
  await expect(sheet.getByText(en.alert.none)).toBeVisible()
  const field = sheet.getByRole('textbox', { name: en.alert.price })
  const last = Number(await field.inputValue())
  const set = async (kind: string, price: number): Promise<void> => {
    await sheet.getByRole('radio', { name: kind }).check({ force: true })
    await field.fill(price.toFixed(2))
    await sheet.getByRole('button', { name: en.alert.submit }).click()
  }
  await set(en.alert.below, last * 2)
  await expect(sheet.getByText(en.error.ALERT_REACHED)).toBeVisible()

  // The price reaches one of them within a moment, and its toast does not stay.
  const toastSeen = expect(page.getByText(/^BTC\/USDT reached [\d,.]+/).first()).toBeVisible()
  await set(en.alert.crossing, last + 1.01)
  await expect(
    sheet
      .getByRole('listitem')
      .or(page.getByText(/BTC\/USDT reached/))
      .first(),
  ).toBeVisible()
  await set(en.alert.crossing, last - 1.01)
  await toastSeen

  await page.reload()
  await page.getByRole('button', { name: en.alert.title }).click()
  const rows = sheet.getByRole('listitem')
  await expect(sheet.getByRole('heading', { name: en.alert.waiting })).toBeVisible()
  if ((await rows.count()) > 0) await rows.getByRole('button').first().click()
  await expect(sheet.getByText(en.alert.none)).toBeVisible()
})
