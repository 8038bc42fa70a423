import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { paths } from '../../src/paths.ts'
import { hrefTo } from '../../src/router/hashLocation.ts'
import { placementValidMs } from '../../streams/index.ts'
import { logIn } from '../e2e/member.ts'
import { tellings, watchTellings } from '../e2e/tellings.ts'
import { faultProxy } from '../support/faultProxy.ts'
import { seededRandom } from '../support/random.ts'
import { sleepWhile } from '../support/sleepingPage.ts'
import { startVenue } from '../support/venueProcess.ts'
import type { Findings } from './findings.ts'

/** What happens while orders run: the page sleeps, its line is down, the venue restarts. */
export const orderTroubles = ['sleep', 'offline', 'restart'] as const
export type OrderTrouble = (typeof orderTroubles)[number]

/** Every set of troubles, the empty one first. */
export const troubleSets: readonly (readonly OrderTrouble[])[] = Array.from({ length: 8 }, (_, set) =>
  orderTroubles.filter((_name, bit) => (set >> bit) % 2 === 1),
)

export type OrderTimesPlan = {
  browser: Browser
  seed: number
  runs: number
  /** Of what happens in one run after another; every set by default. */
  sets?: readonly (readonly OrderTrouble[])[]
  log: (line: string) => void
}

type Ended = { id: string; amount: string; status: string; pnl: string | null; seconds: number }

const pages = [paths.home, paths.user, paths.messages]
const finalStatuses = new Set(['won', 'lost', 'tied', 'refunded'])
/** The longest that a venue takes to settle after it is up again, and a page to come back, ms. */
const patienceMs = 90_000

/**
 * Runs of one member each, with a page or two and a few orders of some seconds, under troubles at random times. What the pages
 * tell must be what the venue did: each order that a page saw open is told once, with its result, and nothing else is.
 */
export async function driveOrderTimes(plan: OrderTimesPlan): Promise<Findings> {
  const { browser, seed, runs, sets = troubleSets, log } = plan
  const venue = await openRestartableVenue()
  const findings: Findings = { tried: 0, violations: [] }
  try {
    for (let run = 0; run < runs; run++) {
      const troubles = sets[run % sets.length] ?? []
      const name = `run ${run} (${troubles.join(', ') || 'no trouble'})`
      const found = await driveRun({ browser, venue, troubles, seed: seed + run })
      for (const line of found) log(`${name}: ${line}`)
      findings.violations.push(...found.map((line) => `${name}: ${line}`))
      findings.tried += 1
      log(`${name}: ${found.length === 0 ? 'ok' : 'differs'}`)
    }
  } finally {
    await venue.close()
  }
  return findings
}

type RestartableVenue = {
  url: string
  port: number
  restart: () => Promise<void>
  close: () => Promise<void>
}

async function openRestartableVenue(): Promise<RestartableVenue> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-order-times-'))
  const env = {
    DATA_DIR: dataDir,
    PRODUCTS_FILE: 'tests/e2e/products.json',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  let venue = startVenue(['dist/server/main.js'], env)
  const url = await venue.ready
  const { port } = new URL(url)
  return {
    url,
    port: Number(port),
    restart: async () => {
      await venue.end('SIGTERM')
      venue = startVenue(['dist/server/main.js'], { ...env, PORT: port })
      await venue.ready
    },
    close: async () => {
      await venue.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

type Run = { browser: Browser; venue: RestartableVenue; troubles: readonly OrderTrouble[]; seed: number }

async function driveRun({ browser, venue, troubles, seed }: Run): Promise<string[]> {
  const random = seededRandom(seed)
  const between = (from: number, to: number): number => Math.round(from + random.next() * (to - from))
  const network = await faultProxy(venue.port)
  const context = await browser.newContext({
    baseURL: venue.url,
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
  })
  try {
    await watchTellings(context)
    const page = await context.newPage()
    await logIn(page, network.url)
    const tabs = between(0, 2) === 0 ? [page, await context.newPage()] : [page]
    for (const tab of tabs) {
      await openPage(tab, `${network.url}/${hrefTo(pages[between(0, 2)] ?? paths.home)}`)
    }
    const orders = between(1, 4)
    // Cents of their own: their sums tell which ones a toast for several means.
    for (let i = 0; i < orders; i++) await place(page, between(0, 1) === 0 ? 5 : 10, `${10 + i}.${2 ** i}0`)
    for (const tab of tabs) await sawOpen(tab, orders)
    const disturb: Record<OrderTrouble, () => Promise<void>> = {
      sleep: async () => {
        await wait(between(0, 6000))
        const asleepMs = between(1000, 9000)
        await sleepWhile(page, () => wait(asleepMs))
      },
      offline: async () => {
        await wait(between(0, 6000))
        network[between(0, 1) === 0 ? 'cut' : 'stall']()
        await wait(between(500, 12_000))
        network.restore()
      },
      restart: async () => {
        await wait(between(0, 6000))
        await venue.restart()
      },
    }
    await Promise.all(troubles.map((trouble) => disturb[trouble]()))
    return await compare(page, tabs, orders)
  } finally {
    await context.close()
    await network.close()
  }
}

/** Compares what was told with what the venue did, then ends one more order: after it nothing else is on its way. */
async function compare(page: Page, tabs: readonly Page[], orders: number): Promise<string[]> {
  const ended = await untilSettled(page, orders)
  const told = await untilTold(tabs, ended)
  if (told !== undefined) return [told]
  await tabs[0]?.reload()
  await place(page, 5, '50.00')
  const all = await untilSettled(page, orders + 1)
  const toldAfter = await untilTold(tabs, all)
  return toldAfter === undefined ? [] : [`after a reload and one more order: ${toldAfter}`]
}

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('h1').first().waitFor()
}

/** Places an order from elsewhere, such as the member's other device. */
async function place(page: Page, seconds: number, amount: string): Promise<void> {
  const { now } = (await (await page.request.get('/api/time')).json()) as { now: number }
  const product = await (await page.request.get('/api/products/BTCUSDT')).json()
  const { durations } = product as { durations: { seconds: number; rateBp: number }[] }
  const rateBp = durations.find((each) => each.seconds === seconds)?.rateBp ?? 0
  const { token } = await sessionOf(page.context())
  const answer = await page.request.post('/api/orders', {
    headers: { 'X-CSRF-Token': token, 'Idempotency-Key': crypto.randomUUID() },
    data: {
      productId: 'BTCUSDT',
      direction: 'up',
      amount,
      seconds,
      rateBp,
      validUntil: now + placementValidMs,
    },
  })
  if (answer.ok()) return
  // The first price after a restart is on its way, or the order was longer on its way than it was valid.
  if (![409, 410, 422, 503].includes(answer.status()))
    throw new Error(`not placed: ${answer.status()} ${await answer.text()}`)
  await wait(500)
  await place(page, seconds, amount)
}

async function sessionOf(context: BrowserContext): Promise<{ token: string }> {
  const { origins } = await context.storageState()
  const stored = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'session')
  return JSON.parse(stored?.value ?? '{}') as { token: string }
}

/** Waits until the device has stored that it saw this many orders open. */
async function sawOpen(page: Page, orders: number): Promise<void> {
  await page.waitForFunction(async (count) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('kept', 1)
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error('no storage')))
    })
    const values = await new Promise<unknown[]>((resolve, reject) => {
      const store = database.transaction('answers').objectStore('answers')
      const keys = store.getAllKeys()
      keys.addEventListener('success', () => {
        const key = keys.result.find((name) => typeof name === 'string' && name.endsWith('/told'))
        const request = key === undefined ? undefined : store.get(key)
        request?.addEventListener('success', () => resolve([request.result]))
        if (request === undefined) resolve([])
      })
      keys.addEventListener('error', () => reject(new Error('not read')))
    })
    database.close()
    const [told] = values as { value: unknown[] }[]
    return (told?.value.length ?? 0) >= count
  }, orders)
}

async function untilSettled(page: Page, orders: number): Promise<Ended[]> {
  for (;;) {
    const answer = await page.request.get('/api/orders?tab=records&limit=100').catch(() => undefined)
    const items = answer?.ok() === true ? ((await answer.json()) as { items: Ended[] }).items : []
    if (items.length >= orders && items.every(({ status }) => finalStatuses.has(status))) return items
    await wait(250)
  }
}

/** Waits until the pages have told as many orders as have ended. Returns how it differs from what the venue did. */
async function untilTold(tabs: readonly Page[], ended: readonly Ended[]): Promise<string | undefined> {
  const deadline = performance.now() + patienceMs
  let difference: string | undefined = 'nothing'
  while (difference !== undefined && performance.now() < deadline) {
    const told = (await tellings(tabs)).map(({ text, href }) => read(text, href))
    difference = differenceOf(told, ended)
    if (difference?.startsWith('told too') === true) break
    await wait(250)
  }
  return difference
}

type Told = { id: string | undefined; count: number; cents: number; text: string }

/** `BTC/USDT · Up, 10.00 · Lost 10.00 Proof`, the same with `Tied` alone, or `2 orders closed · −1.50 My orders`. */
function read(text: string, href: string): Told {
  const id = new URLSearchParams(href.slice(href.indexOf('?'))).get('id') ?? undefined
  const count = id === undefined ? Number(/^\d+/.exec(text)?.[0] ?? 0) : 1
  const [, sign = '', figure = ''] = /(Won |Lost |[+−])([\d,]+\.\d\d)/.exec(text) ?? []
  const cents = Math.round(Number(figure.replaceAll(',', '')) * (/Lost|−/.test(sign) ? -100 : 100))
  return { id, count, cents, text }
}

function differenceOf(told: readonly Told[], ended: readonly Ended[]): string | undefined {
  const texts = told.map(({ text }) => text).join(' | ')
  const count = told.reduce((sum, each) => sum + each.count, 0)
  if (count > ended.length) return `told too often: ${texts}`
  for (const { id, cents, text } of told) {
    if (id === undefined) continue
    const order = ended.find((each) => each.id === id)
    if (order === undefined) return `told too much, no such order ended: ${text}`
    const isRight = cents === centsOf(order) && text.toLowerCase().includes(order.status)
    if (!isRight) return `told too, but wrong: ${text}, it ${order.status} ${order.pnl}`
  }
  const ids = told.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (new Set(ids).size < ids.length) return `told too, twice: ${texts}`
  if (count < ended.length) return `${ended.length} ended, ${count} told: ${texts}`
  const sum = told.reduce((total, { cents }) => total + cents, 0)
  const expected = ended.reduce((total, order) => total + centsOf(order), 0)
  return sum === expected ? undefined : `told too, with ${sum} in sum instead of ${expected}: ${texts}`
}

const centsOf = ({ pnl }: Ended): number => Math.round(Number(pnl ?? 0) * 100)
