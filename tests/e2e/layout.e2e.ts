import { expect, test } from '@playwright/test'
import type { Locator, Page, ViewportSize } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { openApiClient } from '../pageSweep/apiClient.ts'
import { applyLayout, visit, openVisitor } from '../pageSweep/visit.ts'
import { backOfficeKey } from './backOffice.ts'
import { logIn, openHome, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'

type Box = { left: number; top: number; right: number; bottom: number }

const tablets = [
  { width: 820, height: 1180 },
  { width: 900, height: 700 },
  { width: 1024, height: 768 },
  { width: 1180, height: 820 },
  { width: 1280, height: 800 },
]
const phonesInLandscape = [
  { width: 932, height: 430 },
  { width: 844, height: 390 },
  { width: 667, height: 375 },
  { width: 640, height: 320 },
]

test('the ticket never covers ticker, timeframes or chart of the product page', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.getByRole('button', { name: en.ticket.buyUp })).toBeEnabled()
  for (const size of [...tablets, ...phonesInLandscape]) {
    await applyLayout(page, size)
    await expect.poll(() => productViolations(page, size)).toEqual([])
  }
})

async function productViolations(page: Page, size: ViewportSize): Promise<string[]> {
  const chart = page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'BTC/USDT') })
  const ticket = await boxOf(page.getByRole('region', { name: en.ticket.title }))
  const plot = await boxOf(chart.locator('canvas').first())
  const parts: [string, Box][] = [
    ['plot', plot],
    ...(await boxesOf(page.locator('main dl').first().locator('> div'), 'stat')),
  ]
  // The row of timeframes scrolls; the chosen one is in view.
  const chosen: [string, Box] = ['chosen timeframe', await boxOf(chart.getByRole('radio', { checked: true }))]
  parts.push(chosen, ...(await boxesOf(chart.getByRole('button'), 'tool')))
  const buttons = await boxesOf(page.getByRole('button', { name: /^Buy/ }), 'buy button')
  const violations = parts
    .filter(([, box]) => overlap(box, ticket))
    .map(([name]) => `${name} overlaps the ticket`)
  violations.push(
    ...[...parts.slice(1), ...buttons]
      .filter(([, box]) => box.left < 0 || box.right > size.width || box.top < 0 || box.bottom > size.height)
      .map(([name]) => `${name} is off the screen`),
  )
  if (!contains(await boxOf(chart.getByRole('radiogroup')), chosen[1]))
    violations.push('the chosen timeframe is hidden by scrolling')
  if (plot.bottom - plot.top < size.height * 0.35 || plot.bottom > size.height)
    violations.push('the chart is not visible')
  return violations.map((violation) => `${size.width}×${size.height}: ${violation}`)
}

async function boxesOf(all: Locator, name: string): Promise<[string, Box][]> {
  const boxes = await all.evaluateAll((nodes) =>
    nodes
      .filter((node) => node.checkVisibility())
      .map((node) => {
        const { left, top, right, bottom } = node.getBoundingClientRect()
        return { text: node.textContent ?? '', box: { left, top, right, bottom } }
      }),
  )
  expect(boxes.length).toBeGreaterThan(1)
  return boxes.map(({ text, box }) => [`${name} “${text}”`, box])
}

const boxOf = (one: Locator): Promise<Box> =>
  one.evaluate((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect()
    return { left, top, right, bottom }
  })

const overlap = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1

const contains = (outer: Box, inner: Box): boolean =>
  inner.left >= outer.left - 1 && inner.right <= outer.right + 1

test('the confirmation of an order shows its terms, its button and its close button on a phone in landscape', async ({
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  const sheet = page.getByRole('dialog')
  const terms = sheet.locator('dt')
  await expect(terms).toHaveCount(7)
  for (const size of phonesInLandscape) {
    await page.setViewportSize(size)
    await expect(sheet.getByRole('button', { name: en.ticket.buyUp })).toBeInViewport({ ratio: 1 })
    await expect(sheet.getByRole('button', { name: en.common.close })).toBeInViewport({ ratio: 1 })
    for (const term of await terms.all()) {
      // On the smallest screens it may scroll.
      if (size.height < 375) await term.scrollIntoViewIfNeeded()
      await expect.poll(() => isOnTop(term)).toBe(true)
    }
  }
  await confirm(page).click()
  await expectPlaced(page)
  await expect(page.getByText('Up 100.00').first()).toBeVisible()
})

/** Whether nothing covers or clips the element. */
const isOnTop = (one: Locator): Promise<boolean> =>
  one.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect()
    return [top + 2, bottom - 2].every((y) => document.elementFromPoint((left + right) / 2, y) === node)
  })

test('the link to the proof of a settled order is 44 px high', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: '5 s' }).check()
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  await confirm(page).click()
  await expectPlaced(page)
  const proof = page.getByRole('link', { name: en.order.seeProof, exact: true })
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await expect(proof).toBeVisible()
    await proof.scrollIntoViewIfNeeded()
    const hit = await proof.evaluate((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect()
      return [-21, 0, 21].map((offset) =>
        node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2 + offset)),
      )
    })
    expect(hit).toEqual([true, true, true])
  }
})

test('a long nickname stays in its row', async ({ browser, baseURL }) => {
  const origin = baseURL ?? ''
  const client = await openApiClient(origin, backOfficeKey)
  for (const nickname of ['超长昵称'.repeat(6), 'M'.repeat(24)]) {
    await client.send('PATCH', '/me', { nickname })
    const options = {
      origin,
      language: 'zh-CN',
      as: 'member',
      viewport: { width: 320, height: 640 },
    } as const
    const { page, context } = await openVisitor(browser, { client, registerInfo: null }, options)
    await visit(page, origin, { href: `/#${paths.settings}` })
    const row = page.getByRole('button', { name: nickname })
    const rowBox = await boxOf(row)
    for (const inside of await row.locator('span, svg').all()) {
      const box = await boxOf(inside)
      expect(box.left).toBeGreaterThanOrEqual(rowBox.left)
      expect(box.right).toBeLessThanOrEqual(rowBox.right)
    }
    await context.close()
  }
  await client.close()
})

test('the browser’s select does not exceed the control it covers', async ({ page }) => {
  await openHome(page)
  expect(await overflowingSelects(page)).toEqual([])
  await page.goto('/#/pages/order/order?tab=closed')
  await expect(page.getByRole('combobox', { name: en.orders.product })).toBeAttached()
  expect(await overflowingSelects(page)).toEqual([])
})

/** WebKit shows the overflow of a select unless a rule hides it; Chromium always cuts it, so check the rules. */
const overflowingSelects = (page: Page): Promise<string[]> =>
  page.locator('select').evaluateAll((selects) => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    const hidingRules = rules.filter(
      (rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && rule.style.overflow === 'hidden',
    )
    return selects
      .filter((one) => getComputedStyle(one).opacity === '0')
      .filter((one) => !hidingRules.some(({ selectorText }) => one.matches(selectorText)))
      .map((one) => one.getAttribute('aria-label') ?? '')
  })
