import type { Page, Route } from '@playwright/test'
import { dayMs } from '../../contract/time.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { faultProxy, type FaultProxy } from '../support/faultProxy.ts'
import { openLeapingVenue } from '../support/leapingVenue.ts'
import { logIn, product } from './member.ts'
import {
  buyUp,
  confirm,
  countdownErrorMs,
  expectPlaced,
  loseNetwork,
  moveDeviceClock,
  onProduct,
  ordersOf,
  placeForAMinute,
  placeForHours,
  placeUnanswered,
  sleepAnHour,
} from './network.ts'
import { expect, test as base } from './test.ts'

/** Each test reaches the venue through its own proxy, which it can make fail. */
const test = base.extend<{ network: FaultProxy }>({
  network: async ({ baseURL }, provide) => {
    const proxy = await faultProxy(Number(new URL(baseURL ?? '').port))
    await provide(proxy)
    await proxy.close()
  },
})

/** Whether the browser still stores an order whose outcome it does not know. */
const hasStoredPlacement = (page: Page): Promise<boolean> =>
  page.evaluate(() => Object.values(localStorage).join().includes('validUntil'))

/** Drops the venue's answers from the next order on. Any earlier, and prices may pause first: then none can be confirmed. */
async function loseAnswersOfOrder(page: Page, network: FaultProxy): Promise<void> {
  const dropAndSend = (route: Route): Promise<void> => {
    network.dropAnswers()
    return route.continue()
  }
  await page.route('**/api/orders', dropAndSend, { times: 1 })
}

/** The venue's newest tick of the product, requested without the proxy. */
async function newestTickAt(page: Page): Promise<number> {
  const answer = await page.request.get('/api/products/BTCUSDT')
  return ((await answer.json()) as { lastAt: number }).lastAt
}

test('after a lost connection trading stops, missed ticks are fetched, and trading resumes by itself', async ({
  page,
  network,
}) => {
  // The chart fetches its newest bars once it receives every tick; before that no tick can be missed. The daily bars
  // that the page fetches for its 24-hour change say nothing about that.
  const charted = page.waitForResponse((response) => /\/candles\?tf=1s&limit=/.test(response.url()))
  await onProduct(page, network)
  // Its body too: bars that the cut truncates are read again instead of being back-filled.
  await (await charted).finished()
  network.cut()
  const caughtUp = page.waitForResponse((response) => /\/ticks\?afterSeq=\d+/.test(response.url()))
  const cutAt = await newestTickAt(page)
  await expect(buyUp(page)).toBeDisabled()
  // A client that is back before the next tick has missed none.
  await expect.poll(() => newestTickAt(page)).toBeGreaterThan(cutAt)
  network.restore()
  expect((await caughtUp).status()).toBe(200)
  await expect(buyUp(page)).toBeEnabled()
})

test('after a cut and a stall trading stops, says why, and resumes by itself', async ({ page, network }) => {
  await onProduct(page, network)
  const loadedAt = await page.evaluate(() => performance.timeOrigin)
  for (const way of ['cut', 'stall', 'cut'] as const) await loseNetwork(page, network, way)
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt)
})

test('a triple click places one order', async ({ page, network }) => {
  await onProduct(page, network)
  await buyUp(page).click()
  await confirm(page).click({ clickCount: 3 })
  await expectPlaced(page)
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  await expect.poll(() => hasStoredPlacement(page)).toBe(false)
  expect(await ordersOf(page)).toHaveLength(1)
})

test('an order with a lost answer is shown as unknown, then as accepted, and is never placed twice @short', async ({
  page,
  network,
}) => {
  await onProduct(page, network)
  await buyUp(page).click()
  await expect(confirm(page)).toBeEnabled()
  await loseAnswersOfOrder(page, network)
  await confirm(page).click()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  network.restore()
  await expect(page.getByText(new RegExp(en.ticket.accepted.split(':')[0] ?? ''))).toBeVisible()
  expect(await ordersOf(page)).toHaveLength(1)
})

test('a reload between click and answer neither loses nor duplicates the order', async ({
  page,
  network,
}) => {
  await onProduct(page, network)
  await buyUp(page).click()
  await expect(confirm(page)).toBeEnabled()
  await loseAnswersOfOrder(page, network)
  await confirm(page).click()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  network.restore()
  // The app loads itself anew if one of its files was lost in the cut: then it interrupts this one.
  await expect(() => page.reload()).toPass()
  await expect(buyUp(page)).toBeVisible()
  await expect.poll(() => hasStoredPlacement(page)).toBe(false)
  expect(await ordersOf(page)).toHaveLength(1)
})

test('a second tab resolves an order whose answer the first one lost, and it is placed once', async ({
  page,
  context,
  network,
}) => {
  // The venue accepts the order; the tab that placed it gets neither that answer, nor one to its look-ups, nor the event.
  await page.routeWebSocket('**/socket.io/**', (socket) => {
    const venue = socket.connectToServer()
    venue.onMessage((message) => {
      if (typeof message !== 'string' || !message.includes('["order",')) socket.send(message)
    })
  })
  await onProduct(page, network)
  await page.route('**/api/orders', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.route('**/api/orders/by-key/*', (route) => route.abort())
  await buyUp(page).click()
  await confirm(page).click()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  expect(await hasStoredPlacement(page)).toBe(true)
  const second = await context.newPage()
  await second.goto(network.url + product('BTCUSDT'))
  await expect.poll(() => hasStoredPlacement(second)).toBe(false)
  await page.unrouteAll()
  await page.bringToFront()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await ordersOf(page)).toHaveLength(1)
})

test('orders whose answers are lost are resolved, and each counts once', async ({ page, network }) => {
  await onProduct(page, network)
  let placed = 0
  for (const way of ['hang', 'reset', 'request'] as const) {
    const { outcome } = await placeUnanswered(page, network, way)
    expect(outcome, way).toBe(way === 'request' ? 'rejected' : 'accepted')
    if (outcome === 'accepted') placed += 1
    expect(await ordersOf(page), way).toHaveLength(placed)
  }
})

test('the countdown follows the venue if the device clock is a day off', async ({ page, network }) => {
  await moveDeviceClock(page, dayMs)
  await onProduct(page, network)
  const order = await placeForAMinute(page)
  await expect.poll(async () => Math.abs(await countdownErrorMs(page, order))).toBeLessThanOrEqual(1000)
  expect(order.status).toMatch(/accepted|open/)
})

test('after an hour of sleep the countdown is right again and trading resumes', async ({ browser }) => {
  const venue = await openLeapingVenue()
  const network = await faultProxy(venue.port)
  const page = await browser.newPage({ baseURL: network.url, viewport: { width: 390, height: 844 } })
  try {
    await onProduct(page, network)
    const order = await placeForHours(page)
    await sleepAnHour(page, venue, order)
    await expect.poll(async () => Math.abs(await countdownErrorMs(page, order))).toBeLessThanOrEqual(1000)
  } finally {
    await page.close()
    await network.close()
    await venue.close()
  }
})

test('logging out in one tab logs out the other', async ({ page, context }) => {
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
  await expect(other.getByRole('button', { name: en.me.logOut })).toBeHidden()
})
