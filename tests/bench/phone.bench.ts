/**
 * P16: a product's page on a slow phone that has nothing of the app yet: until an order can be placed, until the chart
 * has its bars, and until the day's line stands in its place. Needs `npm run build`.
 */
import type { Browser, Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from '../e2e/member.ts'
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { watchStart } from './phone/page.ts'
import { median, type Row } from './row.ts'

const runs = Number(process.env['RUNS'] ?? 3)
const slowdown = 4
const bytesPerSecond = 1_600_000 / 8
const latencyMs = 150
const buttonsMaxMs = 3000
const chartMaxMs = 4500
/** What the page loads later, such as the toasts of orders, is not counted. */
const waitMaxMs = 60_000

type Load = { line: number; buttons: number; chart: number; requests: number; kB: number }

export async function run(): Promise<Row[]> {
  const venue = await openBuiltVenue({ PRODUCTS_FILE: 'server/products.json' })
  const browser = await launchBrowser()
  try {
    // The first visit fills the venue's own caches.
    await load(browser, venue.url)
    const loads: Load[] = []
    for (let i = 0; i < runs; i++) loads.push(await load(browser, venue.url))
    const of = (part: keyof Load): number => median(loads.map((each) => each[part]))
    return [
      row("until the day's line", of('line'), 'ms'),
      atMost('until an order can be placed', of('buttons'), buttonsMaxMs),
      atMost('until the chart has its bars', of('chart'), chartMaxMs),
      row('requests until the chart', of('requests'), ''),
      row('received until the chart, with headers', of('kB'), 'kB'),
    ]
  } finally {
    await browser.close()
    await venue.close()
  }
}

/** A member who has logged in, with an empty cache and no service worker. */
async function load(browser: Browser, origin: string): Promise<Load> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    // The compiler names functions by a helper that pages do not have.
    await page.addInitScript('globalThis.__name = (f) => f')
    await page.addInitScript(watchStart, en.ticket.buyUp)
    await logIn(page, origin)
    const received = await slowDown(page)
    await page.goto(product('BTCUSDT'), { waitUntil: 'commit' })
    await page.waitForFunction(
      () => globalThis.shown.buttons !== undefined && globalThis.shown.chart !== undefined,
      undefined,
      { timeout: waitMaxMs, polling: 200 },
    )
    const {
      line = Number.NaN,
      buttons = Number.NaN,
      chart = Number.NaN,
    } = await page.evaluate(() => globalThis.shown)
    return { line, buttons, chart, ...received() }
  } finally {
    await context.close()
  }
}

/** @returns what was requested and received until then */
async function slowDown(page: Page): Promise<() => { requests: number; kB: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  let requests = 0
  let bytes = 0
  session.on('Network.requestWillBeSent', () => (requests += 1))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  return () => ({ requests, kB: bytes / 1000 })
}

const row = (what: string, value: number, unit: string): Row => ({
  id: 'P16',
  what: `product on a slow phone: ${what}`,
  value,
  unit,
})
const atMost = (what: string, value: number, max: number): Row => ({
  ...row(what, value, 'ms'),
  limit: `≤ ${max}`,
  ok: value <= max,
})
