import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

test('places an order with shortcuts on a wide screen, and turns shortcuts off', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.getByRole('button', { name: 'Buy up' })).toHaveAttribute('aria-keyshortcuts', 'U')
  await expect(page.getByRole('button', { name: 'Buy up' })).toContainText('Win')

  await page.keyboard.press('3')
  await expect(page.getByRole('radio', { name: '1 min' })).toBeChecked()
  await page.keyboard.press('d')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: 'Buy down' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('region', { name: 'Positions' }).getByText('Down, 100.00')).toBeVisible()

  await page.getByLabel(/^Amount, /).fill('')
  await page.keyboard.press('1')
  await expect(page.getByRole('radio', { name: '1 min' })).toBeChecked()

  await page.getByRole('button', { name: en.ticket.keysOff }).click()
  await page.keyboard.press('1')
  await expect(page.getByRole('radio', { name: '1 min' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Buy up' })).not.toHaveAttribute('aria-keyshortcuts')
})

test('several positions scroll in their strip and do not widen the page on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: '1 min' }).check()
  for (const name of ['Buy up', 'Buy down']) {
    await page.getByRole('button', { name }).click()
    await confirm(page).click()
    await expectPlaced(page)
  }
  await expect(page.getByRole('region', { name: 'Positions' }).getByRole('listitem')).toHaveCount(2)
  const mainWidth = await page.locator('main').evaluate((main) => main.getBoundingClientRect().width)
  expect(mainWidth).toBeLessThanOrEqual(320)
})
