/**
 * P12: what six indicators cost a chart of 100,000 bars, and how long a tap takes until the chart is drawn on a processor
 * slowed to a quarter: another frame, and another product whose code is cached. Needs `npm run build`.
 */
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { paths } from '../../contract/pagePaths.ts'
import { indicatorKinds, indicatorRules } from '../../src/chart/indicators/kinds.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from '../e2e/member.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { bundle } from './browserPage.ts'
import type { LiveCost } from './chart/page.ts'
import { watchDrawing } from './indicators/drawing.ts'
import { median, type Row } from './row.ts'

const ticksPerSecond = 2000
const seconds = 4
const runs = 5
const bars = 100_000
const ratioMax = 1.3
const slowdown = 4
const frameMaxMs = 100
const openMaxMs = 300
const taps = 9
/** As many as the list shows. */
const products = 8
const six = indicatorKinds.slice(0, 6).map((kind) => ({ kind, params: indicatorRules[kind].params }))

/** Runs the bench; each row is a median, and the runs of a ratio are taken in turn. */
export async function run(): Promise<Row[]> {
  const browser = await launchBrowser()
  try {
    return [await costRow(browser), ...(await tapRows(browser))]
  } finally {
    await browser.close()
  }
}

async function costRow(browser: Browser): Promise<Row> {
  const code = await bundle(join(import.meta.dirname, 'chart', 'page.ts'))
  const page = await browser.newPage({ viewport: { width: 712, height: 560 } })
  await page.setContent('<style>html,body{margin:0;height:100%}</style>')
  await page.addScriptTag({ content: code })
  const measure = (indicators: typeof six): Promise<LiveCost> =>
    page.evaluate(([count, rate, length, shown]) => globalThis.chartBench.live(count, rate, length, shown), [
      bars,
      ticksPerSecond,
      seconds,
      indicators,
    ] as const)
  await measure([])
  const [none, all]: [LiveCost[], LiveCost[]] = [[], []]
  for (let i = 0; i < runs; i++) {
    none.push(await measure([]))
    all.push(await measure(six))
  }
  await page.close()
  const perFrame = ({ updateMs, busyMs, frames }: LiveCost) => (updateMs + busyMs) / frames
  const ratio = median(all.map(perFrame)) / median(none.map(perFrame))
  const ms = `${median(all.map(perFrame)).toFixed(2)} against ${median(none.map(perFrame)).toFixed(2)} ms`
  return {
    id: 'P12',
    what: `chart of ${bars} bars, busy a frame at ${ticksPerSecond} ticks/s: six indicators against none (${ms})`,
    value: ratio,
    unit: '×',
    limit: `≤ ${ratioMax}`,
    ok: ratio <= ratioMax,
  }
}

async function tapRows(browser: Browser): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const context = await browser.newContext({
    baseURL: venue.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    // The compiler names functions by a helper that pages do not have.
    await page.addInitScript('globalThis.__name = (f) => f')
    await page.addInitScript(watchDrawing)
    await logIn(page, venue.url)
    await page.goto(product('BTCUSDT'))
    await page.locator('figure canvas').first().waitFor()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const frames = await changeFrames(page)
    const openings = await openProducts(page)
    return [
      tapRow('another frame', frames, frameMaxMs),
      tapRow('another product, cached code', openings, openMaxMs),
    ]
  } finally {
    await context.close()
    await venue.close()
  }
}

/** Between three timeframes: the first time the bars of each are fetched, then they are kept. */
async function changeFrames(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < taps; i++) {
    const name = (['5m', '15m', '1m'] as const)[i % 3] ?? '1m'
    const frame = page.getByRole('radio', { name, exact: true })
    times.push(await tapToDrawn(page, () => frame.tap()))
  }
  return times
}

/** Each a product that was not open before, so that no bars of it are kept. */
async function openProducts(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < products; i++) {
    await page.goto(`/#${paths.products}`)
    const row = page.locator('a[href*="Detail?id="]').nth(i)
    await row.waitFor()
    await page.getByRole('heading', { name: en.title.products }).waitFor()
    times.push(await tapToDrawn(page, () => row.tap()))
  }
  return times
}

/** The time from a tap, as the browser dates it, until a chart that was not there before is painted, ms. */
async function tapToDrawn(page: Page, tap: () => Promise<void>): Promise<number> {
  await page.evaluate(() => globalThis.drawing.begin())
  await tap()
  return page.evaluate(() => globalThis.drawing.drawn)
}

function tapRow(what: string, times: readonly number[], max: number): Row {
  const value = median(times)
  return {
    id: 'P12',
    what: `tap to drawn, processor slowed ${slowdown} ×: ${what} (at most ${Math.max(...times).toFixed(0)} ms)`,
    value,
    unit: 'ms',
    limit: `≤ ${max}`,
    ok: value <= max,
  }
}
