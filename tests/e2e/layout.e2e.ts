import type { Locator, Page, ViewportSize } from '@playwright/test'
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { openApiClient } from '../pageSweep/apiClient.ts'
import { layoutViolations } from '../pageSweep/layoutViolations.ts'
import { applyLayout, visit, openVisitor } from '../pageSweep/visit.ts'
import { deskKey } from './officeCalls.ts'
import { logIn, openHome, product } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

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
  await expect(page.getByText('Up, 100.00').first()).toBeVisible()
})

test('the confirmation of an order is over the ticket on a wide page, and leaves the chart in sight', async ({
  page,
}) => {
  await logIn(page)
  for (const size of [
    { width: 900, height: 700 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(product('BTCUSDT'))
    await buyUp(page).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('button', { name: en.ticket.buyUp })).toBeInViewport({ ratio: 1 })
    const chart = await boxOf(page.locator('main canvas').first())
    expect((await boxOf(sheet)).left).toBeGreaterThanOrEqual(chart.right)
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(buyUp(page)).toBeFocused()
  }
})

test('what a product is takes one line beside the list of products and on a phone in landscape', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('EURUSD'))
  const facts = page
    .locator('main header')
    .getByText(/Replay|Mirrored/)
    .locator('..')
  const star = page.locator('main header').getByRole('button', { name: /favourites/ })
  for (const size of [{ width: 1280, height: 800 }, { width: 1440, height: 900 }, phonesInLandscape[1]!]) {
    await applyLayout(page, size)
    const { top, bottom, right } = await boxOf(facts)
    expect(bottom - top, `${size.width} px`).toBeLessThan(24)
    expect((await boxOf(star)).bottom).toBeLessThan(60)
    expect(right).toBeLessThanOrEqual((await boxOf(page.locator('main header'))).right)
  }
})

test('several orders beside the ticket of a tablet: nothing is cut or too wide in a language of long words', async ({
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? ''
  const client = await openApiClient(origin, deskKey)
  const terms = { productId: 'BTCUSDT', direction: 'down', amount: '125.00', seconds: 60, rateBp: 8500 }
  for (let at = 0; at < 4; at++) {
    const { now } = await client.get<{ now: number }>('/time')
    await client.send('POST', '/orders', { ...terms, validUntil: now + 20_000 })
  }
  const viewport = { width: 1024, height: 768 }
  const options = { origin, language: 'de', as: 'member', viewport } as const
  const { page, context } = await openVisitor(browser, { client, registerInfo: null }, options)
  await visit(page, origin, { href: product('BTCUSDT') })
  await expect(page.getByRole('region', { name: de.product.positions }).getByRole('timer')).toHaveCount(4)
  for (const size of [viewport, { width: 1280, height: 800 }]) {
    await applyLayout(page, size)
    expect(await layoutViolations(page), `${size.width} px`).toEqual([])
  }
  await context.close()
  await client.close()
})

test('the wheel scrolls the timeframes that do not fit, and not the page', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  const chart = page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'BTC/USDT') })
  const last = chart.getByRole('radio').last()
  await expect(buyUp(page)).toBeEnabled()
  await expect(last.locator('..')).not.toBeInViewport({ ratio: 0.5 })
  await chart.getByRole('radiogroup').hover()
  await page.mouse.wheel(0, 600)
  await expect(last.locator('..')).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a toast of the product page covers neither chart, orders nor buttons', async ({ page }) => {
  await page.route(/\/assets\/AlertSheet-[^/]*\.js$/, (route) => route.abort())
  await logIn(page)
  for (const size of [{ width: 320, height: 568 }, { width: 844, height: 390 }, ...tablets.slice(-1)]) {
    await page.setViewportSize(size)
    await page.goto('about:blank')
    await page.goto(product('BTCUSDT'))
    await page.getByRole('radio', { name: '1 min' }).check()
    await buyUp(page).click()
    await confirm(page).click()
    await expectPlaced(page)
    const row = page.locator('main').getByText('Up, 100.00').first()
    await expect(row).toBeVisible()
    // Its card says that it is placed.
    const toast = page.locator('[data-toasts] > div')
    await expect(page.locator('[data-toasts]')).toContainText('100.00')
    await expect(toast).toHaveCount(0)
    await page.getByRole('button', { name: en.alert.title }).click()
    await expect(toast).toContainText(en.alert.failed)
    const seen = [
      ...(await boxesOf(page.locator('main button, main a'), 'button')),
      ...(await boxesOf(page.locator('main canvas'), 'chart')),
      ['order', await boxOf(row)] as [string, Box],
      ['price', await boxOf(page.locator('main [data-uncovered]'))] as [string, Box],
    ]
    const box = await boxOf(toast)
    const covered = seen.filter(([, other]) => overlap(other, box)).map(([name]) => name)
    expect(covered, `${size.width}×${size.height}`).toEqual([])
  }
})

test('how an order ended is told where it covers neither figures nor buttons of another page', async ({
  page,
}) => {
  await logIn(page)
  for (const [path, size] of [
    [paths.home, { width: 320, height: 568 }],
    [paths.products, { width: 390, height: 844 }],
    [paths.user, { width: 820, height: 1180 }],
    [paths.home, { width: 1280, height: 800 }],
  ] as const) {
    await page.setViewportSize(size)
    await page.goto(product('BTCUSDT'))
    await page.getByRole('radio', { name: /^10 s/ }).check()
    await buyUp(page).click()
    await confirm(page).click()
    await expectPlaced(page)
    await page.goto(`/#${path}`)
    const toast = page.locator('[data-toasts] > div', { hasText: /· (Won|Lost|Tied)/ })
    await expect(toast).toBeVisible()
    const box = await boxOf(toast)
    const covered = (await boxesOf(page.locator('button, main a, main dd'), 'part'))
      .filter(([, other]) => other.right > other.left && overlap(other, box))
      .map(([name]) => name)
    expect(covered, `${path} at ${size.width}×${size.height}`).toEqual([])
    expect(box.top, `${path} at ${size.width}×${size.height}`).toBeGreaterThanOrEqual(0)
    await page.reload()
  }
})

test('a transfer into the fund is told over no figure, however little room the buttons of the bar leave', async ({
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? ''
  const client = await openApiClient(origin, deskKey)
  const viewport = { width: 375, height: 667 }
  const options = { origin, language: 'de', as: 'member', viewport } as const
  const { page, context } = await openVisitor(browser, { client, registerInfo: null }, options)
  await visit(page, origin, { href: `/#${paths.transfer}?direction=in` })
  await page.getByLabel(de.fund.amount, { exact: true }).fill('1000')
  await page.getByRole('button', { name: de.fund.inAmount.replace('{{amount}}', '1.000,00') }).click()
  const toast = page.locator('[data-toasts] > div')
  await expect(toast).toBeVisible()
  // It stays while the pointer moves over it.
  await toast.dispatchEvent('pointermove')
  await expect(page.getByRole('heading', { name: de.fund.pendingLots })).toBeVisible()
  for (const size of [viewport, { width: 320, height: 640 }, { width: 360, height: 740 }, ...tablets]) {
    await applyLayout(page, size)
    const box = await boxOf(toast)
    const covered = (await boxesOf(page.locator('main :is(p, span, text, h2, button, a)'), 'part'))
      .filter(([, other]) => overlap(other, box))
      .map(([name]) => name)
    expect(covered, `${size.width} px`).toEqual([])
  }
  await context.close()
  await client.close()
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
  const client = await openApiClient(origin, deskKey)
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

test('each figure of a product row is under its heading at every width, compact or not', async ({ page }) => {
  await logIn(page)
  await page.goto(`/#${paths.products}`)
  await expect(page.getByRole('link', { name: /BTC\/USDT/ })).toBeVisible()
  for (let compact = 0; compact < 2; compact++) {
    for (const width of [320, 390, 480, 600, 640, 720, 820, 900, 960, 1024, 1100, 1280, 1440, 1920]) {
      await applyLayout(page, { width, height: 800 })
      expect(await misplacedFigures(page), `${width} px, compact: ${compact}`).toEqual([])
    }
    await page.getByRole('button', { name: en.products.dense }).click()
  }
})

/** Figures that are shown without their heading, headings without their figure, and figures that end elsewhere. */
const misplacedFigures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const list = document.querySelector('main ul[aria-label]')
    const rowOfHeads = list?.previousElementSibling?.querySelector('[role=row]')
    const heads = [...(rowOfHeads?.children ?? [])].filter((head) => head.checkVisibility())
    const row = list?.querySelector('li:nth-child(2) a, li a')
    const figures = [...(row?.querySelectorAll('span') ?? [])].flatMap((label) => {
      const isLabel = getComputedStyle(label).position === 'absolute' && label.children.length === 0
      const parent = label.parentElement
      if (!isLabel || parent === null) return []
      const isAlone = [...parent.children].length === 1
      const figure = isAlone ? parent : label.nextElementSibling
      return figure?.checkVisibility() === true ? [{ name: label.textContent ?? '', figure }] : []
    })
    const named = heads.filter((head) => figures.some(({ name }) => name === head.textContent))
    // On a phone one heading stands for two figures.
    if (named.length === 0) return figures.length === 2 ? [] : [`${figures.length} figures without headings`]
    return figures.flatMap(({ name, figure }) => {
      const head = heads.find((one) => one.textContent === name)
      if (head === undefined) return [`${name} has no heading`]
      const apart = figure.getBoundingClientRect().right - head.getBoundingClientRect().right
      return Math.abs(apart) > 8 ? [`${name} ends ${apart} px from its heading`] : []
    })
  })

test('with panes the chart fits a phone in landscape, and does not grow with the column beside it', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.getByRole('button', { name: en.ticket.buyUp })).toBeEnabled()
  await page.getByRole('button', { name: en.indicators.title }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('switch', { name: /^MACD/ }).click()
  await sheet.getByRole('switch', { name: /^RSI/ }).click()
  await page.getByRole('button', { name: en.common.close }).click()
  await expect(sheet).toHaveCount(0)
  const chart = page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'BTC/USDT') })
  for (const size of [...phonesInLandscape.filter(({ height }) => height >= 375), ...tablets.slice(2)]) {
    await applyLayout(page, size)
    await expect
      .poll(async () => (await boxOf(chart)).bottom, { message: `${size.width}×${size.height}` })
      .toBeLessThanOrEqual(size.height)
    // The right column becomes longer than the window.
    await page.evaluate(() => {
      const filler = Object.assign(document.createElement('div'), { id: 'filler' })
      filler.style.height = '2000px'
      document.querySelector('[data-columns] > :last-child')?.append(filler)
    })
    await expect.poll(async () => (await boxOf(chart)).bottom).toBeLessThanOrEqual(size.height)
    await page.evaluate(() => document.querySelector('#filler')?.remove())
  }
})

test('the whole row of the language opens the list', async ({ page }) => {
  await logIn(page)
  await page.goto('/#/pages/set/set')
  const language = page.getByRole('main').getByRole('combobox', { name: en.common.language })
  await expect(language).toBeVisible()
  const label = await boxOf(page.getByRole('main').getByText(en.common.language, { exact: true }).first())
  for (const x of [label.left + 4, 195, 370]) {
    const opens = await language.evaluate(
      (node, [left, top]) => document.elementFromPoint(left ?? 0, top ?? 0) === node,
      [x, (label.top + label.bottom) / 2],
    )
    expect(opens, `at ${x} px`).toBe(true)
  }
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
