import type { Locator, Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
]
const chartOf = (page: Page): Locator =>
  page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'BTC/USDT').slice(0, 14) })

for (const size of sizes) {
  test(`one trades on the full screen, at ${size.width}×${size.height}`, async ({ page }) => {
    await page.setViewportSize(size)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    const full = chartOf(page)
    await full.getByRole('button', { name: en.chart.full }).click()
    const ticket = full.getByRole('region', { name: en.ticket.title })
    const [buyUp, buyDown] = [en.ticket.buyUp, en.ticket.buyDown].map((name) =>
      ticket.getByRole('button', { name }),
    ) as [Locator, Locator]
    await expect(buyUp).toBeEnabled()
    await ticket.getByRole('button', { name: en.ticket.lower }).click()
    await expect(ticket.getByRole('textbox')).toHaveValue('90.00')
    await ticket.getByRole('radio', { name: '1 min' }).check()
    await buyUp.click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: /^Buy up/ }).click()
    await expectPlaced(page)
    const head = full.getByRole('banner').or(full.locator('header'))
    await expect(head.getByText('BTC/USDT')).toBeVisible()
    for (const part of [head.getByRole('timer'), head.getByText(en.order.ifEndedNow), buyUp, buyDown])
      await expect(part).toBeInViewport({ ratio: 1 })
    const canvas = await full.locator('canvas').first().boundingBox()
    expect(canvas?.height).toBeGreaterThan(120)
    await page.keyboard.press('Escape')
    await expect(full.getByRole('button', { name: en.chart.full })).toBeVisible()
    await expect(page.getByRole('timer')).toHaveCount(1)
  })
}

test('the chart on the full screen stays where it is when an order ends while another runs', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  const full = chartOf(page)
  for (const name of ['1 min', /^10 s/]) {
    await page.getByRole('radio', { name }).check()
    await page.getByRole('button', { name: en.ticket.buyUp }).click()
    await confirm(page).click()
    await expectPlaced(page)
  }
  await full.getByRole('button', { name: en.chart.full }).click()
  await expect(full.getByRole('timer')).toBeVisible()
  const box = () => full.locator('canvas').first().boundingBox()
  await expect(full.locator('header').getByText('+1')).toBeVisible()
  const before = await box()
  await expect(full.locator('header').getByRole('status')).toHaveText(/Won|Lost|Tied/)
  await expect(full.getByRole('timer')).toBeVisible()
  expect(await box()).toEqual(before)
})

test('a toast on the full screen covers neither chart nor buttons', async ({ page }) => {
  await page.route(/\/assets\/IndicatorSheet-[^/]*\.js$/, (route) => route.abort())
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  const full = chartOf(page)
  await full.getByRole('button', { name: en.chart.full }).click()
  await full.getByRole('button', { name: en.indicators.title }).click()
  const toast = page.locator('[data-toasts] > div')
  await expect(toast).toBeVisible()
  const bottom = await toast.evaluate((node) => node.getBoundingClientRect().bottom)
  const head = await full.locator('header').evaluate((node) => node.getBoundingClientRect().bottom)
  expect(bottom).toBeLessThanOrEqual(head)
})

test('on a phone in landscape name, price, countdown, P&L, amount and both buttons are in sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: '1 min' }).check()
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Buy up/ })
    .click()
  await expectPlaced(page)
  const main = page.locator('main')
  for (const part of [
    page.getByRole('heading', { level: 1 }),
    main.getByRole('timer'),
    main.getByText(en.order.ifEndedNow),
    main.getByRole('textbox'),
    main.getByRole('button', { name: en.ticket.buyUp }),
    main.getByRole('button', { name: en.ticket.buyDown }),
  ])
    await expect(part).toBeInViewport({ ratio: 1 })
})
