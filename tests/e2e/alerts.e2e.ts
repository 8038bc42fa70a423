import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { expect, test } from './test.ts'

const amount = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

test('a price alert is set, reached, reported once and gone from the list @short', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('button', { name: en.alert.title }).click()
  const sheet = page.getByRole('dialog', { name: en.alert.title })
  await expect(sheet.getByText(en.alert.none)).toBeVisible()
  const field = sheet.getByRole('textbox', { name: en.alert.price })
  const rejected = sheet.getByText(en.error.ALERT_REACHED)
  /** Whether it was set: not if the price is reached already. */
  const set = async (kind: string, distance: number): Promise<boolean> => {
    await sheet.getByRole('radio', { name: kind }).check()
    // That clears the error of the last price, in whose place the price now is shown.
    await field.fill('')
    const now = (await sheet.getByText(/^Now [\d,.]+$/).innerText()).replaceAll(/[^\d.]/g, '')
    const price = Number(now) + distance
    await field.fill(price.toFixed(2))
    await sheet.getByRole('button', { name: en.alert.submit }).click()
    const done = page.getByText(`BTC/USDT ${kind.toLowerCase()} ${amount.format(price)}`)
    await expect(done.or(rejected).first()).toBeVisible()
    return rejected.isHidden()
  }
  expect(await set(en.alert.below, 50_000)).toBe(false)

  // One on either side of the price, so that it reaches one of them wherever it goes. It may reach one before that is set,
  // and then the next price counts.
  const toastSeen = expect(page.getByText(/^BTC\/USDT (rose to|fell to) [\d,.]+/).first()).toBeVisible()
  await expect(async () => expect(await set(en.alert.above, 1)).toBe(true)).toPass()
  await expect(async () => expect(await set(en.alert.below, -1)).toBe(true)).toPass()
  await toastSeen

  await page.reload()
  await page.getByRole('button', { name: en.alert.title }).click()
  const rows = sheet.getByRole('listitem')
  await expect(sheet.getByRole('heading', { name: en.alert.waiting })).toBeVisible()
  // The price may reach the other one at any moment.
  await expect(async () => {
    if ((await rows.count()) > 0) await rows.getByRole('button').first().click({ timeout: 1_000 })
    await expect(sheet.getByText(en.alert.none)).toBeVisible({ timeout: 1_000 })
  }).toPass()
})
