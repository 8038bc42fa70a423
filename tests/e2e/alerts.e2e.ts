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
  const set = async (kind: string, price: number): Promise<number> => {
    await sheet.getByRole('radio', { name: kind }).check({ force: true })
    await field.fill(price.toFixed(2))
    const answer = page.waitForResponse(
      (each) => each.request().method() === 'POST' && each.url().endsWith('/price-alerts'),
    )
    await sheet.getByRole('button', { name: en.alert.submit }).click()
    return (await answer).status()
  }
  expect(await set(en.alert.below, last * 2)).toBe(422)
  await expect(sheet.getByText(en.error.ALERT_REACHED)).toBeVisible()

  // One on either side of the price, so that it reaches one of them wherever it goes. It may pass a price before that is
  // set, and then the next price counts.
  const toastSeen = expect(page.getByText(/^BTC\/USDT (rose to|fell to) [\d,.]+/).first()).toBeVisible()
  const priceNow = async (): Promise<number> =>
    Number((await sheet.getByText(/^Now [\d,.]+$/).innerText()).replaceAll(/[^\d.]/g, ''))
  for (const [kind, distance] of [
    [en.alert.above, 1],
    [en.alert.below, -1],
  ] as const) {
    await expect(async () => expect(await set(kind, (await priceNow()) + distance)).toBe(201)).toPass()
  }
  await toastSeen

  await page.reload()
  await page.getByRole('button', { name: en.alert.title }).click()
  const rows = sheet.getByRole('listitem')
  await expect(sheet.getByRole('heading', { name: en.alert.waiting })).toBeVisible()
  if ((await rows.count()) > 0) await rows.getByRole('button').first().click()
  await expect(sheet.getByText(en.alert.none)).toBeVisible()
})
