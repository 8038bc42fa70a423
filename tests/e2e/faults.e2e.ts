import type { Page } from '@playwright/test'
import { expect, test as base } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import type { FaultProxy } from '../support/proxy.ts'
import { faultProxy } from '../support/proxy.ts'
import { logIn, product } from './member.ts'

/** Each flow meets the venue through a proxy of its own, which it can make fail. */
const test = base.extend<{ network: FaultProxy }>({
  network: async ({ baseURL }, provide) => {
    const proxy = await faultProxy(Number(new URL(baseURL ?? '').port))
    await provide(proxy)
    await proxy.close()
  },
})

const buyUp = (page: Page) => page.getByRole('button', { name: en.ticket.buyUp }).first()
const confirm = (page: Page) => page.getByRole('dialog').getByRole('button', { name: en.ticket.buyUp })

async function onProduct(page: Page, proxy: FaultProxy): Promise<void> {
  await logIn(page, proxy.url)
  await page.goto(proxy.url + product('BTCUSDT'))
  await expect(buyUp(page)).toBeEnabled()
}

async function ordersOf(page: Page): Promise<{ key: string; status: string }[]> {
  const answer = await page.request.get('/api/orders?tab=records')
  return ((await answer.json()) as { items: { key: string; status: string }[] }).items
}

test('a lost connection is told, missed ticks are fetched, and trading comes back by itself', async ({
  page,
  network,
}) => {
  await onProduct(page, network)
  await expect(page.locator('canvas').first()).toBeVisible()
  const backfill = page.waitForResponse((response) => /\/ticks\?afterSeq=\d+/.test(response.url()))
  network.cut()
  await expect(buyUp(page)).toBeDisabled({ timeout: 6000 })
  network.restore()
  expect((await backfill).status()).toBe(200)
  await expect(buyUp(page)).toBeEnabled({ timeout: 20_000 })
})

test('a silent connection turns the buttons off within six seconds, and says why', async ({
  page,
  network,
}) => {
  await onProduct(page, network)
  network.stall()
  await expect(buyUp(page)).toBeDisabled({ timeout: 6000 })
  await expect(page.getByText(/Paused|Prices paused/).first()).toBeVisible()
  network.restore()
  await expect(buyUp(page)).toBeEnabled({ timeout: 30_000 })
})

test('a double click is one order', async ({ page, network }) => {
  await onProduct(page, network)
  await buyUp(page).click()
  await confirm(page).dblclick()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
})

test('a lost answer is told as unknown, then known, and never placed twice', async ({ page, network }) => {
  await onProduct(page, network)
  await buyUp(page).click()
  await expect(confirm(page)).toBeEnabled()
  network.dropAnswers()
  await confirm(page).click()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  network.restore()
  await expect(page.getByText(new RegExp(en.ticket.accepted.split(':')[0] ?? ''))).toBeVisible({
    timeout: 20_000,
  })
  expect(await ordersOf(page)).toHaveLength(1)
})

test('a reload between click and answer neither loses nor doubles the order', async ({ page, network }) => {
  await onProduct(page, network)
  await buyUp(page).click()
  await expect(confirm(page)).toBeEnabled()
  network.dropAnswers()
  await confirm(page).click()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  network.restore()
  await page.reload()
  await expect(buyUp(page)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join().includes('validUntil')))
    .toBe(false)
  expect(await ordersOf(page)).toHaveLength(1)
})

for (const minutes of [10, -10]) {
  test(`the countdown follows the venue though the device is ${minutes} minutes off`, async ({ page }) => {
    await page.addInitScript((ms) => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + ms
    }, minutes * 60_000)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await page.getByRole('radio', { name: en.ticket.minutes.replace('{{n}}', '1') }).check({ force: true })
    await buyUp(page).click()
    await confirm(page).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    const ring = page.getByRole('timer').first()
    await expect(ring).toHaveText(/^(5\d|60|1:00)$/)
    const [order] = await ordersOf(page)
    expect(order?.status).toMatch(/accepted|open/)
  })
}

test('logging out in one tab ends the other', async ({ page, context }) => {
  await logIn(page)
  const other = await context.newPage()
  await other.goto('/#/pages/user/user')
  await expect(other.getByRole('button', { name: en.me.logOut })).toBeVisible()
  await page.goto('/#/pages/user/user')
  await page.getByRole('button', { name: en.me.logOut }).click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: en.me.logOut })
    .click()
  await expect(page.getByRole('button', { name: en.me.logOut })).toBeHidden()
  await expect(other.getByRole('button', { name: en.me.logOut })).toBeHidden({ timeout: 5000 })
})
