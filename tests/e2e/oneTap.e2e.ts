import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { buyUp, ordersOf } from './network.ts'
import { expect, test } from './test.ts'

/** Turns one-tap orders on, up to an amount. */
async function turnOn(page: Page, max: string): Promise<void> {
  await page.goto('/#/pages/set/set')
  const toggle = page.getByRole('switch', { name: en.oneTap.title })
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  const sheet = page.getByRole('dialog', { name: en.oneTap.title })
  await expect(sheet.getByText(en.oneTap.explained)).toBeVisible()
  await sheet.getByLabel(en.oneTap.max).fill(max)
  await sheet.getByRole('button', { name: en.oneTap.turnOn }).click()
  await expect(toggle).toBeChecked()
}

test('one tap places an order up to the amount that was set, and a larger one is confirmed', async ({
  page,
}) => {
  await logIn(page)
  await turnOn(page, '50')
  await page.goto(product('BTCUSDT'))
  const amount = page.getByLabel(/^Amount, /)
  await expect(amount).toHaveValue('100.00')
  await page.getByRole('radio', { name: '1 min' }).check()
  await buyUp(page).click()
  const sheet = page.getByRole('dialog', { name: en.ticket.confirm })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await amount.fill('50')
  await amount.blur()
  // A double tap is one order.
  await buyUp(page).dblclick()
  await expect(page.getByText('Up, 50.00').first()).toBeVisible()
  await expect(sheet).toHaveCount(0)
  expect(await ordersOf(page)).toHaveLength(1)
  await page.reload()
  await expect(page.getByText(en.oneTap.ticket.replace('{{max}}', '50.00'))).toBeVisible()
})

test('an order by one tap that the venue refuses opens the sheet, which says why', async ({ page }) => {
  await logIn(page)
  await turnOn(page, '500')
  await page.goto(product('BTCUSDT'))
  // As if the return had changed in this moment.
  await page.route('**/api/orders', (route) =>
    route.request().method() === 'POST'
      ? route.continue({ postData: { ...(route.request().postDataJSON() as object), rateBp: 7900 } })
      : route.fallback(),
  )
  await expect(buyUp(page)).toBeEnabled()
  await buyUp(page).click()
  const sheet = page.getByRole('dialog', { name: en.ticket.confirm })
  await expect(sheet.getByRole('alert')).toContainText('The return has changed')
  expect(await ordersOf(page)).toHaveLength(0)
})
