import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

const detail = /Detail\/Detail/
const dialog = (page: Page) => page.getByRole('dialog')
const alerts = (page: Page) => page.getByRole('button', { name: en.alert.title })

/** Home, then a product: Back from it leads home. */
async function openProduct(page: Page): Promise<void> {
  await logIn(page)
  await page.goto('/#/pages/index/index')
  await page
    .getByRole('link', { name: /BTC\/USDT/ })
    .first()
    .click()
  await expect(buyUp(page)).toBeVisible()
}

test('Back closes a sheet, Forward does not open it again, and Back then leaves the page', async ({
  page,
}) => {
  await openProduct(page)
  await alerts(page).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(detail)
  await page.goForward()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(detail)
  await page.goBack()
  await expect(page).toHaveURL(/index\/index/)
})

test('a sheet closed otherwise leaves no entry behind', async ({ page }) => {
  await openProduct(page)
  for (const close of ['button', 'Escape', 'button']) {
    await alerts(page).click()
    await expect(dialog(page)).toBeVisible()
    if (close === 'Escape') await page.keyboard.press('Escape')
    else await page.getByRole('button', { name: en.common.close }).click()
    await expect(dialog(page)).toHaveCount(0)
  }
  await expect.poll(() => page.evaluate(() => (history.state as { sheets?: number }).sheets)).toBeUndefined()
  await page.goBack()
  await expect(page).toHaveURL(/index\/index/)
})

test('an order that is placed from its sheet leaves no entry behind, and a sheet over a sheet closes first', async ({
  page,
}) => {
  await openProduct(page)
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await page.goBack()
  await expect(page).toHaveURL(/index\/index/)

  await page.goto('/#/pages/set/set')
  await page.goto('/#/pages/limits/limits')
  await page.getByRole('button', { name: en.limits.maxStake }).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/limits\/limits/)
})

test('Back does not close a sheet whose order is being sent, nor leave its page', async ({ page }) => {
  await openProduct(page)
  let send = (): void => undefined
  const isSent = new Promise<void>((resolve) => (send = resolve))
  await page.route('**/api/orders', async (route) => {
    if (route.request().method() === 'POST') await isSent
    await route.continue()
  })
  await buyUp(page).click()
  await confirm(page).click()
  await expect(dialog(page).getByText(en.ticket.sending)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL(detail)
  send()
  await expectPlaced(page)
  await page.goBack()
  await expect(page).toHaveURL(/index\/index/)
})

test('a link in a sheet leads on, and Back from there to the page without the sheet', async ({ page }) => {
  await logIn(page)
  await page.goto('/#/pages/user/user')
  await page.getByRole('button', { name: en.me.logOut }).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/user\/user/)
  await page.goto(product('BTCUSDT'))
  await expect(buyUp(page)).toBeVisible()
  await alerts(page).click()
  await expect(dialog(page)).toBeVisible()
  await dialog(page).evaluate((sheet) => {
    const link = Object.assign(document.createElement('a'), {
      href: '#/pages/order/order',
      textContent: 'Orders',
    })
    sheet.querySelector('p')?.append(link)
  })
  await dialog(page).getByRole('link', { name: 'Orders' }).click()
  await expect(page).toHaveURL(/order\/order/)
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(detail)
  await expect(buyUp(page)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/user\/user/)
})

test('a reload with an open sheet shows the page, and one Back leaves it', async ({ page }) => {
  await openProduct(page)
  await alerts(page).click()
  await expect(dialog(page)).toBeVisible()
  await page.reload()
  await expect(buyUp(page)).toBeVisible()
  await expect.poll(() => page.evaluate(() => (history.state as { sheets?: number }).sheets)).toBeUndefined()
  await page.goBack()
  await expect(page).toHaveURL(/index\/index/)
})

test('Back leaves the full screen, after the sheet over it', async ({ page }) => {
  await openProduct(page)
  const leave = page.getByRole('button', { name: en.chart.leaveFull })
  await page.getByRole('button', { name: en.chart.full }).click()
  await expect(leave).toBeVisible()
  await buyUp(page).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(leave).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: en.chart.full })).toBeVisible()
  await expect(page).toHaveURL(detail)
  await page.getByRole('button', { name: en.chart.full }).click()
  await leave.click()
  await expect(leave).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/index\/index/)
})
