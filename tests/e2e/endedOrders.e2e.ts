import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import zh from '../../locales/zh-CN.json' with { type: 'json' }
import { faultProxy, type FaultProxy } from '../support/faultProxy.ts'
import { product } from './member.ts'
import { buyUp, confirm, expectPlaced, onProduct, ordersOf } from './network.ts'
import { tellings, watchTellings } from './tellings.ts'
import { expect, test as base } from './test.ts'

/** Each test reaches the venue through its own proxy, which it can make fail. */
const test = base.extend<{ network: FaultProxy }>({
  network: async ({ baseURL }, provide) => {
    const proxy = await faultProxy(Number(new URL(baseURL ?? '').port))
    await provide(proxy)
    await proxy.close()
  },
})

const home = '/#/pages/index/index'

/** Places an order of five seconds. */
async function place(page: Page): Promise<void> {
  const { length } = await ordersOf(page)
  await page.getByRole('radio', { name: /^5 s/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await expect.poll(async () => (await ordersOf(page)).length).toBe(length + 1)
}

/** Waits until the venue has settled every order, by a way of its own. */
async function allSettled(page: Page): Promise<void> {
  const isOpen = ({ status }: { status: string }): boolean => /accepted|open|settling/.test(status)
  await expect.poll(async () => (await ordersOf(page)).some(isOpen)).toBe(false)
}

const resultCard = (page: Page) =>
  page.getByRole('region', { name: en.orders.recentClosed }).getByRole('listitem')

test('an order that settles while the line is down is shown on its page once the line is back, in its place', async ({
  page,
  network,
}) => {
  await onProduct(page, network)
  await place(page)
  network.cut()
  await allSettled(page)
  // A frame without the card would be a page that jumps.
  await page.evaluate(() => {
    let counted = 0
    Object.assign(globalThis, { framesWithoutCard: () => counted })
    const count = (): void => {
      if (document.querySelector('[data-order]') === null) counted += 1
      requestAnimationFrame(count)
    }
    count()
  })
  network.restore()
  await expect(resultCard(page)).toHaveCount(1)
  expect(
    await page.evaluate(() =>
      (globalThis as typeof globalThis & { framesWithoutCard: () => number }).framesWithoutCard(),
    ),
  ).toBe(0)
  await expect(page.getByRole('region', { name: en.product.positions })).toBeHidden()
})

for (const width of [390, 1280]) {
  test(`a position turns into its result where it stands, at ${width} px`, async ({ page, network }) => {
    await page.setViewportSize({ width, height: 800 })
    await onProduct(page, network)
    await place(page)
    const cards = page.getByRole('listitem').filter({ hasText: 'Up, 100.00' })
    const card = cards.first()
    await expect(card.getByRole('timer')).toBeVisible()
    await card.evaluate((node) => Object.assign(node, { isTheSame: true }))
    const before = await card.boundingBox()
    await expect(card).toContainText(/Won|Lost|Tied/)
    expect(await card.evaluate((node) => (node as Element & { isTheSame?: true }).isTheSame)).toBe(true)
    expect(await card.boundingBox()).toEqual(before)
    await expect(page.locator('[data-toasts] > div')).toHaveCount(0)
    await expect(cards).toHaveCount(1)
    await place(page)
    await expect(card.getByRole('timer')).toBeVisible()
  })
}

/** What the line beside the heading says as soon as the card of the order has its result: two frames later. */
const lineAtEnd = (page: Page, id: string): Promise<string | null | undefined> =>
  page.evaluate(async (order) => {
    const frame = () => new Promise(requestAnimationFrame)
    const card = () => document.querySelector(`[data-order="${order}"]`)
    while (card()?.querySelector('[role=timer]')) await frame()
    await frame()
    await frame()
    return document.querySelector('section:has([data-order]) [role=status]')?.textContent
  }, id)

test('of several orders each result is told at once, also if its card is out of sight', async ({
  page,
  context,
  network,
}) => {
  await watchTellings(context)
  await onProduct(page, network)
  for (const duration of [/^10 s/, /^10 s/, /^1 min/]) {
    await page.getByRole('radio', { name: duration }).check()
    await buyUp(page).click()
    await confirm(page).click()
    await expectPlaced(page)
  }
  const cards = page.locator('[data-order]')
  await expect(cards).toHaveCount(3)
  const [second = '', first = ''] = await cards.evaluateAll((all) =>
    all.slice(1).map((card) => (card as HTMLElement).dataset['order'] ?? ''),
  )
  expect(await lineAtEnd(page, first)).toMatch(/^(Won|Lost|Tied)/)
  expect(await lineAtEnd(page, second)).toMatch(/^2 orders closed/)
  expect(await tellings([page])).toEqual([])
})

test('an order that settles while the line is down is told on another page, once in two tabs', async ({
  page,
  context,
  network,
}) => {
  await watchTellings(context)
  await onProduct(page, network)
  const other = await context.newPage()
  await other.goto(network.url + home)
  await page.bringToFront()
  await place(page)
  await page.goto(network.url + home)
  await expect(page.getByText('Up, 100.00').first()).toBeVisible()
  network.cut()
  await allSettled(page)
  network.restore()
  await expect.poll(async () => (await tellings([page, other])).length).toBe(1)
  await page.reload()
  await expect(page.getByText(en.home.noPositions)).toBeVisible()
  await page.goto(network.url + '/#/pages/user/user')
  await expect(page.getByRole('button', { name: en.me.logOut })).toBeVisible()
  expect(await tellings([page, other])).toHaveLength(1)
})

test('orders that settle while the page is closed are told at the next start, together and once', async ({
  page,
  context,
  network,
}) => {
  await watchTellings(context)
  await onProduct(page, network)
  await place(page)
  await place(page)
  await page.close()
  const later = await context.newPage()
  await allSettled(later)
  await later.goto(network.url + home)
  const [said] = await expect
    .poll(() => tellings([later]))
    .toHaveLength(1)
    .then(() => tellings([later]))
  expect(said?.text).toMatch(/^2 orders closed/)
  await later.reload()
  await expect(later.getByText(en.home.noPositions)).toBeVisible()
  expect(await tellings([later])).toHaveLength(1)
})

test('what is told of orders is told later if its file comes late', async ({ page, network, context }) => {
  await watchTellings(context)
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/assets\/OrderToasts-[^/]+\.js$/, async (route) => {
    await answered
    await route.continue()
  })
  await onProduct(page, network)
  await page.getByRole('radio', { name: /^5 s/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.evaluate((hash) => (location.hash = hash), '#/pages/user/user')
  await expect(page.getByRole('button', { name: en.me.logOut })).toBeVisible()
  await expect.poll(async () => (await ordersOf(page)).length).toBe(1)
  await allSettled(page)
  expect(await tellings([page])).toEqual([])
  answer()
  await expect.poll(async () => (await tellings([page])).map(({ text }) => text)).toHaveLength(1)
  const [said] = await tellings([page])
  expect(said?.text).toMatch(/^BTC\/USDT · Up, 100\.00 · (Won|Lost|Tied)/)
})

test('the running order is in sight on the lowest phones', async ({ page, network }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await onProduct(page, network)
  await page.getByRole('radio', { name: /^1 min/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  const timer = page.getByRole('region', { name: en.product.positions }).getByRole('timer')
  await expect(timer).toBeVisible()
  // At its lowest edge, which the ticket would cover first.
  const isOnTop = (node: Element): boolean => {
    const { left, width, bottom } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(left + width / 2, bottom - 1))
  }
  await expect.poll(() => timer.evaluate(isOnTop)).toBe(true)
})

test('results leave the chart in sight on the lowest phones', async ({ page, network }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await onProduct(page, network)
  // Its words are the ones that take most lines.
  await page.evaluate(() => localStorage.setItem('language', 'zh-CN'))
  await page.reload()
  const { orders, ticket } = zh
  await page.getByRole('radiogroup', { name: ticket.durations }).getByRole('radio').first().check()
  for (let i = 0; i < 2; i++) {
    await page.getByRole('button', { name: ticket.buyUp }).click()
    await confirm(page, ticket).click()
    await expectPlaced(page, ticket)
  }
  const strip = page.getByRole('region', { name: orders.recentClosed })
  await expect(strip.getByRole('listitem')).toHaveCount(2)
  // With a running order it is 97 px high.
  expect((await strip.boundingBox())?.height).toBeLessThan(110)
})

test('the running order is the first thing in the strip, and results alone do not stand under a number of positions', async ({
  page,
  network,
}) => {
  await onProduct(page, network)
  await place(page)
  await expect(resultCard(page)).toHaveCount(1)
  await expect(page.getByText(`${en.product.positions} 0`)).toBeHidden()
  await page.getByRole('radio', { name: /^1 min/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  const positions = page.getByRole('region', { name: en.product.positions })
  await expect(positions.getByRole('listitem').first().getByRole('timer')).toBeInViewport({ ratio: 1 })
  await expect(positions.getByRole('heading')).toContainText('1')
})

for (const outcome of ['placed', 'not placed'] as const) {
  test(`an order that is being sent when its page is left is told as ${outcome}`, async ({
    page,
    network,
  }) => {
    await onProduct(page, network)
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await answered
      const body = { error: { code: 'FEED_STALE', params: {} } }
      await (outcome === 'placed' ? route.continue() : route.fulfill({ status: 409, json: body }))
    })
    await buyUp(page).click()
    await confirm(page).click()
    await expect(page.getByText(en.ticket.sending)).toBeVisible()
    await page.evaluate((hash) => (location.hash = hash), home.slice(1))
    await expect(page.getByRole('heading', { name: en.home.myOrders })).toBeVisible()
    answer()
    const text = outcome === 'placed' ? /^Order placed: BTC\/USDT/ : /^Not placed: BTC\/USDT/
    await expect(page.getByText(text)).toBeVisible()
    expect(await ordersOf(page)).toHaveLength(outcome === 'placed' ? 1 : 0)
  })
}

test('the ticket opens without an error after an all-in, and offers a deposit', async ({ page, network }) => {
  await onProduct(page, network)
  await page.getByLabel(en.ticket.moreAmounts).selectOption('max')
  await page.getByRole('radio', { name: /^10 s/ }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await expect(page.getByRole('link', { name: en.home.deposit })).toBeVisible()
  await expect(page.locator('input[aria-invalid=true]')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('link', { name: en.home.deposit })).toBeVisible()
  await expect(page.locator('input[aria-invalid=true]')).toHaveCount(0)
})

test('duration and amount are the same after a reload', async ({ page, network }) => {
  await onProduct(page, network)
  await page.getByRole('radio', { name: /^10 s/ }).check()
  const amount = page.getByLabel(/^Amount, /)
  await amount.fill('12.5')
  await amount.blur()
  await page.reload()
  await expect(amount).toHaveValue('12.50')
  await expect(page.getByRole('radio', { name: /^10 s/ })).toBeChecked()
  await page.goto(network.url + product('ETHUSDT'))
  await expect(amount).toHaveValue('12.50')
  await page.getByRole('button', { name: en.ticket.raise }).click()
  await expect(amount).toHaveValue('20.00')
  await page.reload()
  await expect(amount).toHaveValue('20.00')
  await page.goto(network.url + product('BTCUSDT'))
  await expect(amount).toHaveValue('12.50')
})
