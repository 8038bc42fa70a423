/**
 * P18: the office's queues with a thousand items each, at 1280 × 800: until the first rows after a click, the longest task while
 * everything is loaded and scrolled to the end, and filters and orders. Needs `npm run build`.
 */
import type { Browser, Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { launchBrowser } from '../support/browser.ts'
import { openBuiltVenue, type BuiltVenue } from '../support/builtVenue.ts'
import { fillQueues, roomySettings } from './office/fill.ts'
import { watchOffice } from './office/page.ts'
import { median, type Row } from './row.ts'

const waiting = Number(process.env['WAITING'] ?? 1000)
const runs = Number(process.env['RUNS'] ?? 3)
const rowsMaxMs = 300
const taskMaxMs = 200
const frameMaxMs = 100
const password = 'a password of this venue 7'
const queues = ['deposits', 'withdrawals'] as const
type Queue = (typeof queues)[number]

/** Medians of the runs are reported: other work of the machine lengthens single ones. */
type Measured = { rows: number; task: number; filter: number; order: number; refill: number }

/** Runs the bench: the rows of both queues. */
export async function run(): Promise<Row[]> {
  const venue = await openBuiltVenue(await roomySettings())
  const browser = await launchBrowser()
  try {
    await fillQueues(venue.url, venue.deskKey, waiting)
    const page = await openOffice(browser, venue)
    const measured: Record<Queue, Measured[]> = { deposits: [], withdrawals: [] }
    for (let i = 0; i < runs; i++)
      for (const queue of queues) measured[queue].push(await measure(page, queue))
    return queues.flatMap((queue) => rowsOf(queue, measured[queue]))
  } finally {
    await browser.close()
    await venue.close()
  }
}

/** The office, opened by a clerk of finance. */
async function openOffice(browser: Browser, { url, deskKey }: BuiltVenue): Promise<Page> {
  const page = await browser.newPage({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
  })
  // The compiler names functions by a helper that pages do not have.
  await page.addInitScript('globalThis.__name = (f) => f')
  await page.addInitScript(watchOffice)
  const headers = { authorization: `Bearer ${deskKey}` }
  const staff = { name: 'fay.fin', role: 'finance' }
  const invited = await page.request.post('/desk/staff', { headers, data: staff })
  const { enrolment } = (await invited.json()) as { enrolment: { code: string } }
  await page.goto(`/office/#/enrol/${enrolment.code}`)
  await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
  await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('row').nth(1).waitFor()
  return page
}

/** One pass through a queue, which is opened from a screen without rows. */
async function measure(page: Page, queue: Queue): Promise<Measured> {
  await page.goto('/office/#/account')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const begin = () => page.evaluate(() => globalThis.officeWatch.begin())
  const frame = () => page.evaluate(() => globalThis.officeWatch.frame())
  const newRows = () => page.evaluate(() => globalThis.officeWatch.rows())

  await begin()
  await page.getByRole('link', { name: new RegExp(`^${texts.queue[queue].title}`) }).click()
  const rows = await newRows()

  await begin()
  await scrollToEnd(page)
  const task = await page.evaluate(() => globalThis.officeWatch.longestTask())

  await begin()
  await page.getByLabel(texts.queue.order).selectOption('largest')
  const order = await frame()
  const refill = await newRows()

  await begin()
  await page.getByLabel(texts.queue.shown, { exact: true }).selectOption('free')
  const filter = await frame()
  return { rows, task, filter, order, refill }
}

/** Loads all pages and ends at the last row. What was loaded before is drawn little by little, without another page. */
async function scrollToEnd(page: Page): Promise<void> {
  const rows = page.locator('[data-rows] > tr')
  const more = page.getByRole('button', { name: texts.list.more })
  await rows.first().focus()
  for (let before = await rows.count(); before < waiting; before = await rows.count()) {
    await page.keyboard.press('End')
    if (await more.isVisible()) await more.click()
    await page.waitForFunction((n) => document.querySelectorAll('[data-rows] > tr').length > n, before)
    await rows.last().focus()
  }
  await page.keyboard.press('Home')
  await page.keyboard.press('End')
  for (let at = 0; at < waiting; at += 100) await page.mouse.wheel(0, -4000)
}

function rowsOf(queue: Queue, measured: readonly Measured[]): Row[] {
  const of = (part: keyof Measured): number => median(measured.map((each) => each[part]))
  const row = (what: string, value: number): Row => ({
    id: 'P18',
    what: `office, ${waiting} waiting ${queue}: ${what}`,
    value,
    unit: 'ms',
  })
  const atMost = (what: string, value: number, max: number): Row => ({
    ...row(what, value),
    limit: `≤ ${max}`,
    ok: value <= max,
  })
  return [
    atMost('first rows after the click', of('rows'), rowsMaxMs),
    atMost('longest task while scrolling to the end', of('task'), taskMaxMs),
    atMost('frame after a filter', of('filter'), frameMaxMs),
    atMost('frame after an order', of('order'), frameMaxMs),
    row('rows in another order', of('refill')),
  ]
}
