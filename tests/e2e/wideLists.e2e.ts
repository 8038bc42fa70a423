import type { Locator, Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

const desk = { width: 1280, height: 800 }
const tablet = { width: 820, height: 1180 }

/** Places an order through the ticket and waits for its result. @returns its number */
async function settleOrder(page: Page): Promise<string> {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: /^5 s/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  const closed = async (): Promise<{ no: string }[]> => {
    const answer = await page.request.get('/api/orders?tab=closed')
    return ((await answer.json()) as { items: { no: string }[] }).items
  }
  await expect.poll(async () => (await closed()).length).toBe(1)
  return (await closed())[0]?.no ?? ''
}

const boxOf = (one: Locator) =>
  one.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    return { left, top, width, height }
  })

/** Whether a value stands below the head of its column. */
async function expectBelow(head: Locator, value: Locator): Promise<void> {
  const [above, below] = [await boxOf(head), await boxOf(value)]
  expect(Math.abs(above.left - below.left)).toBeLessThan(2)
  expect(below.top).toBeGreaterThan(above.top)
}

test('on a desk closed orders and transactions are tables: heads, one line a row, the number in a column', async ({
  page,
}) => {
  const no = await settleOrder(page)
  await page.setViewportSize(desk)
  await page.goto('/#/pages/order/order?tab=closed')
  const main = page.locator('main')
  const order = main.getByRole('link').filter({ hasText: no })
  await expect(order).toBeVisible()
  expect((await boxOf(order)).height).toBeGreaterThanOrEqual(40)
  expect((await boxOf(order)).height).toBeLessThanOrEqual(48)
  await expectBelow(main.getByText(en.order.number, { exact: true }), order.getByText(no, { exact: true }))
  await expectBelow(main.getByText(en.order.held, { exact: true }).first(), order.getByText('5 s').first())

  await page.goto('/#/pages/money-record/money-record')
  const entry = main.getByRole('link').filter({ hasText: no }).first()
  await expect(entry).toBeVisible()
  expect((await boxOf(entry)).height).toBeLessThanOrEqual(48)
  await expectBelow(main.getByText(en.records.number, { exact: true }), entry.getByText(no, { exact: true }))
})

test('my results begin with the curve and list the day that has orders', async ({ page }) => {
  await settleOrder(page)
  await page.goto('/#/pages/results/results')
  const curve = page.getByRole('img', { name: /^P&L from/ })
  await expect(curve).toBeVisible()
  const settled = page.getByText(en.results.settled)
  expect((await boxOf(curve)).top).toBeLessThan((await boxOf(settled)).top)
  await expect(page.getByText(/^1 order · staked/).last()).toBeVisible()
})

test('on a tablet pages use its width: home in two columns, an order beside its chart', async ({ page }) => {
  const no = await settleOrder(page)
  await page.setViewportSize(tablet)
  await page.goto('/#/pages/index/index')
  const assets = page.getByText(en.home.totalAssets)
  const featured = page.getByRole('heading', { name: en.home.recommended })
  await expect(featured).toBeVisible()
  expect((await boxOf(featured)).left).toBeLessThan(100)
  expect((await boxOf(assets)).left).toBeGreaterThan(tablet.width / 2)
  await page.goto('/#/pages/order/order?tab=closed')
  await page.locator('main').getByRole('link').filter({ hasText: no }).click()
  const proof = page.getByRole('heading', { name: en.proof.title })
  await expect(proof).toBeVisible()
  expect((await boxOf(proof)).left).toBeGreaterThan(tablet.width / 3)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})
