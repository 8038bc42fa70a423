import { expect, test } from '@playwright/test'
import type { Locator, Page, ViewportSize } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { openApiClient } from '../pageSweep/apiClient.ts'
import { resize, visit, openVisitor } from '../pageSweep/visit.ts'
import { backOfficeKey } from './backOffice.ts'
import { logIn, product } from './member.ts'

type Box = { left: number; top: number; right: number; bottom: number }

const tablets = [
  { width: 820, height: 1180 },
  { width: 900, height: 700 },
  { width: 1024, height: 768 },
  { width: 1180, height: 820 },
  { width: 1280, height: 800 },
]
const phonesLyingDown = [
  { width: 932, height: 430 },
  { width: 844, height: 390 },
  { width: 667, height: 375 },
  { width: 640, height: 320 },
]

test('the product page keeps its figures, timeframes and chart clear of the ticket at every size', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.getByRole('button', { name: en.ticket.buyUp })).toBeEnabled()
  for (const size of [...tablets, ...phonesLyingDown]) {
    await resize(page, size)
    await expect.poll(() => productViolations(page, size)).toEqual([])
  }
})

async function productViolations(page: Page, size: ViewportSize): Promise<string[]> {
  const chart = page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'BTC/USDT') })
  const ticket = await boxOf(page.getByRole('region', { name: en.ticket.title }))
  const plot = await boxOf(chart.locator('canvas').first())
  const parts: [string, Box][] = [
    ['plot', plot],
    ...(await boxesOf(page.locator('main dl').first().locator('> div'), 'figure')),
    ...(await boxesOf(chart.getByRole('radio'), 'timeframe')),
  ]
  const buttons = await boxesOf(page.getByRole('button', { name: /^Buy/ }), 'buy button')
  const faults = parts.filter(([, box]) => overlap(box, ticket)).map(([name]) => `${name} lies on the ticket`)
  faults.push(
    ...[...parts.slice(1), ...buttons]
      .filter(([, box]) => box.left < 0 || box.right > size.width || box.top < 0 || box.bottom > size.height)
      .map(([name]) => `${name} is off the screen`),
  )
  faults.push(...(await scrolledAway(chart.getByRole('radiogroup'))))
  if (plot.bottom - plot.top < size.height * 0.35 || plot.bottom > size.height)
    faults.push('the chart is not to be seen')
  return faults.map((fault) => `${size.width}×${size.height}: ${fault}`)
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

/** What a strip shows only after scrolling sideways. */
const scrolledAway = (strip: Locator): Promise<string[]> =>
  strip.evaluate((node) => {
    const edge = node.getBoundingClientRect()
    return [...node.children]
      .filter((child) => child.getBoundingClientRect().right > edge.right + 1)
      .map((child) => `“${child.textContent}” is scrolled away`)
  })

test('an order is confirmed on a phone lying down: its terms, its button and its close are all there', async ({
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  const sheet = page.getByRole('dialog')
  const facts = sheet.locator('dt')
  await expect(facts).toHaveCount(7)
  for (const size of phonesLyingDown) {
    await page.setViewportSize(size)
    await expect(sheet.getByRole('button', { name: en.ticket.buyUp })).toBeInViewport({ ratio: 1 })
    await expect(sheet.getByRole('button', { name: en.common.close })).toBeInViewport({ ratio: 1 })
    for (const fact of await facts.all()) {
      // The smallest of them may scroll.
      if (size.height < 375) await fact.scrollIntoViewIfNeeded()
      await expect.poll(() => isOnTop(fact)).toBe(true)
    }
  }
  await sheet.getByRole('button', { name: en.ticket.buyUp }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByText('Up 100.00').first()).toBeVisible()
})

/** Nothing lies over it, nothing clips it. */
const isOnTop = (one: Locator): Promise<boolean> =>
  one.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect()
    return [top + 2, bottom - 2].every((y) => document.elementFromPoint((left + right) / 2, y) === node)
  })

test('the proof of an order that has just settled is a link of 44 px', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: '5 s' }).check({ force: true })
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.ticket.buyUp }).click()
  const proof = page.getByRole('link', { name: en.order.seeProof, exact: true })
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await expect(proof).toBeVisible({ timeout: 30_000 })
    await proof.scrollIntoViewIfNeeded()
    const hit = await proof.evaluate((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect()
      return [-21, 0, 21].map((far) =>
        node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2 + far)),
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
    const look = { origin, language: 'zh-CN', as: 'member', viewport: { width: 320, height: 640 } } as const
    const { page, context } = await openVisitor(browser, { client, registerInfo: null }, look)
    await visit(page, origin, { href: `/#${paths.settings}` })
    const row = page.getByRole('button', { name: nickname })
    const edge = await boxOf(row)
    for (const inside of await row.locator('span, svg').all()) {
      const box = await boxOf(inside)
      expect(box.left).toBeGreaterThanOrEqual(edge.left)
      expect(box.right).toBeLessThanOrEqual(edge.right)
    }
    await context.close()
  }
  await client.close()
})

test('the browser’s own select never sticks out of the control that it lies over', async ({ page }) => {
  await logIn(page)
  expect(await uncutSelects(page)).toEqual([])
  await page.goto('/#/pages/order/order?tab=closed')
  await expect(page.getByRole('combobox', { name: en.orders.product })).toBeAttached()
  expect(await uncutSelects(page)).toEqual([])
})

/** WebKit lets a select's words out unless a rule says otherwise; Chromium cuts them whatever the rules say. */
const uncutSelects = (page: Page): Promise<string[]> =>
  page.locator('select').evaluateAll((selects) => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    const cutting = rules.filter(
      (rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && rule.style.overflow === 'hidden',
    )
    return selects
      .filter((one) => getComputedStyle(one).opacity === '0')
      .filter((one) => !cutting.some(({ selectorText }) => one.matches(selectorText)))
      .map((one) => one.getAttribute('aria-label') ?? '')
  })
