/**
 * P12: how long the most usual taps take on a phone whose processor is slowed to a quarter, while prices run, and how
 * much moves unasked. Needs `npm run build`.
 */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { paths } from '../../contract/pagePaths.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { openHome, product } from '../e2e/member.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { watchInteractions } from './inp/interactions.ts'
import { median, type Row } from './row.ts'

const slowdown = 4
const inpMaxMs = 100
const runs = 7

/** Times of one tap in each run, ms, by the page and what is tapped. */
type Times = Map<string, Map<string, number[]>>

/** Runs the bench: a row for each page, which has the longest of its taps, and one for the shifts. */
export async function run(): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const browser = await launchBrowser()
  const times: Times = new Map()
  const shifts: number[] = []
  try {
    for (let i = 0; i < runs; i++) {
      const context = await browser.newContext({
        baseURL: venue.url,
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        serviceWorkers: 'block',
      })
      shifts.push(await tapThrough(context, venue.url, times))
      await context.close()
    }
    return [...[...times].map(([page, taps]) => pageRow(page, taps)), shiftRow(median(shifts))]
  } finally {
    await browser.close()
    await venue.close()
  }
}

/** Every tap once, in the order of a member who places an order and looks at it. */
async function tapThrough(context: BrowserContext, url: string, times: Times): Promise<number> {
  const page = await context.newPage()
  // The compiler names functions by a helper that pages do not have.
  await page.addInitScript('globalThis.__name = (f) => f')
  await page.addInitScript(watchInteractions)
  await openHome(page, url)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const on = (name: string) => {
    const taps = times.get(name) ?? new Map<string, number[]>()
    times.set(name, taps)
    return async (what: string, target: Locator): Promise<void> => {
      await page.evaluate(() => globalThis.interactions.begin())
      await target.tap()
      const ms = await page.evaluate(() => globalThis.interactions.longest())
      taps.set(what, [...(taps.get(what) ?? []), ms])
    }
  }
  await tapHome(page, on('home'))
  await tapProduct(page, on('product'))
  await tapOrder(page, on('order'))
  return page.evaluate(() => globalThis.interactions.shifts())
}

type Tap = (what: string, target: Locator) => Promise<void>

async function tapHome(page: Page, tap: Tap): Promise<void> {
  await tap('hide the amounts', page.getByRole('button', { name: en.home.hideAmounts }))
  await tap('a product', page.locator('a[href*="Detail?id="]').first())
  await page.locator('figure canvas').first().waitFor()
}

async function tapProduct(page: Page, tap: Tap): Promise<void> {
  await page.goto(product('BTCUSDT'))
  await page.locator('figure canvas').first().waitFor()
  const ticket = page.getByRole('region', { name: en.ticket.title })
  await tap('a timeframe', page.getByRole('radio', { name: '15m', exact: true }))
  await tap('an area', page.getByRole('button', { name: en.chart.area }))
  await tap('a duration', ticket.getByRole('radio').nth(1))
  await tap('an amount', ticket.getByRole('group').getByRole('button').first())
  await tap('buy', ticket.getByRole('button', { name: en.ticket.buyUp }))
  const sheet = page.getByRole('dialog')
  await tap('confirm', sheet.getByRole('button', { name: en.ticket.buyUp }))
  await sheet.waitFor({ state: 'hidden' })
}

async function tapOrder(page: Page, tap: Tap): Promise<void> {
  await page.goto(`/#${paths.orders}`)
  const tabs = page.getByRole('tab')
  await tap('a list', tabs.nth(1))
  await tap('the other list', tabs.nth(0))
  await tap('an order', page.locator('a[href*="order/detail"]').first())
  await page.getByRole('heading', { level: 1 }).waitFor()
}

function pageRow(page: string, taps: ReadonlyMap<string, readonly number[]>): Row {
  const each = [...taps].map(([what, times]) => ({ what, ms: median(times) }))
  const value = Math.max(...each.map(({ ms }) => ms))
  return {
    id: 'P12',
    what: `INP, processor slowed ${slowdown} ×: ${page} (${each.map(({ what, ms }) => `${what} ${ms}`).join(', ')})`,
    value,
    unit: 'ms',
    limit: `≤ ${inpMaxMs}`,
    ok: value <= inpMaxMs,
  }
}

const shiftRow = (value: number): Row => ({
  id: 'P12',
  what: 'cumulative layout shift of these pages',
  value,
  unit: '',
  limit: '0',
  ok: value === 0,
})
