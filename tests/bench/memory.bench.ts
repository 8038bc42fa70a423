import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import type { Order } from '../../contract/orders.ts'
import { paths } from '../../src/paths.ts'
import { browserLaunch } from '../support/browser.ts'
import { openApiClient, type ApiClient } from '../pageSweep/apiClient.ts'
import { stops } from '../pageSweep/stops.ts'
import { visit, openVisitor } from '../pageSweep/visit.ts'
import { measureHeap, type HeapUse } from './memory/heapUse.ts'
import { watchSocket } from './memory/page.ts'
import type { Row } from './row.ts'

const root = resolve(import.meta.dirname, '../..')
/** 8 hours in 10 minutes; `MINUTES=1` makes a short run at the same speed. */
const speed = 48
const minutes = Number(process.env['MINUTES'] ?? 10)
/** The first rounds load all code, and the engine compiles hot code, so growth is measured after them. */
const warmRounds = 3
/** Otherwise the engine optimises hot code for an hour, which takes more memory than all data of the app. */
const onlyBytecode = '--js-flags=--no-opt --no-maglev --no-sparkplug'
const glanceMs = 300
/** Pages with prices stay open longer. */
const dwellMs = Math.max(1500, minutes * 600)
/** The hub unsubscribes from the venue two seconds after the last subscriber. */
const releaseWithinMs = 10_000
const growthMax = 0.05
const ordersTriedMax = 100

/** A page without live data, so that the heap is always measured on the same content. */
const restHref = `/#${paths.about}`

/** P9: hours of ticks with the pages visited in turn: the heap at the end against the heap after the first rounds. */
export async function run(): Promise<Row[]> {
  if (!existsSync(join(root, 'dist/client/index.zh-CN.html'))) throw new Error('build first: npm run build')
  const venue = await openFastVenue()
  const launch = await browserLaunch()
  const browser = await chromium.launch({ ...launch, args: [...(launch.args ?? []), onlyBytecode] })
  const client = await openApiClient(venue.url, '')
  try {
    const noIds = { openOrder: '', closedOrder: '', deposit: '', withdrawal: '', news: '', highlight: '' }
    const sample = { ...noIds, client, registerInfo: null }
    const { page } = await openVisitor(browser, sample, {
      origin: venue.url,
      language: 'en',
      as: 'member',
      viewport: { width: 390, height: 844 },
    })
    await page.addInitScript(watchSocket, speed)
    return await rounds(page, venue.url, client)
  } finally {
    await client.close()
    await browser.close()
    await venue.close()
  }
}

async function rounds(page: Page, origin: string, client: ApiClient): Promise<Row[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  let startedAt = Number.POSITIVE_INFINITY
  let startedAtVenue = 0
  const samples: HeapUse[] = []
  const stillWatched: string[] = []
  let pagesLeft = 0
  while (samples.length <= warmRounds || Date.now() - startedAt < minutes * 60_000) {
    if (samples.length === warmRounds) {
      startedAt = Date.now()
      startedAtVenue = await venueNow(client)
    }
    for (const href of await pagesInTurn(client)) {
      await visit(page, origin, { href })
      await page.waitForTimeout(glanceMs)
      if ((await watched(page)) === 0) continue
      await page.waitForTimeout(dwellMs)
      await visit(page, origin, { href: restHref })
      pagesLeft += 1
      if (!(await waitUntilUnwatched(page))) stillWatched.push(href)
    }
    await visit(page, origin, { href: restHref })
    await waitUntilUnwatched(page)
    const now = await measureHeap(session)
    samples.push(now)
    console.error(
      `  round ${samples.length}: ${inMb(now.heap)} MB, ${inMb(now.code)} of it code, ${inMb(now.appBytes)} of app data`,
    )
  }
  if (stillWatched.length > 0)
    console.error(`still subscribed after leaving: ${[...new Set(stillWatched)].join(', ')}`)
  const hours = ((await venueNow(client)) - startedAtVenue) / 3_600_000
  const { frames, opened } = await page.evaluate(() => ({
    frames: globalThis.line.frames,
    opened: globalThis.line.opened,
  }))
  return table(samples, { hours, frames, opened, pagesLeft, stillWatched: stillWatched.length })
}

const inMb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2)

type Totals = { hours: number; frames: number; opened: number; pagesLeft: number; stillWatched: number }

function table(
  samples: readonly HeapUse[],
  { hours, frames, opened, pagesLeft, stillWatched }: Totals,
): Row[] {
  const [early, late] = [samples[warmRounds - 1], samples.at(-1)]
  if (!early || !late) throw new Error('no round was finished')
  const reported = (what: string, value: number, unit = ''): Row => ({ id: 'P9', what, value, unit })
  const growth = (select: (held: HeapUse) => number): number => select(late) / select(early) - 1
  const heap = growth((h) => h.heap)
  const withoutCode = growth((h) => h.heap - h.code)
  const inKb = (bytes: number): number => bytes / 1024
  const listeners = late.listeners - early.listeners
  return [
    reported('venue time with the pages visited in turn', hours, 'hours'),
    reported('rounds of all pages', samples.length),
    reported('tick frames received', frames),
    reported('connections opened, one is enough', opened),
    reported('heap after three rounds, garbage collected', early.heap / 1024 / 1024, 'MB'),
    reported('of its growth, compiled code', inKb(late.code - early.code), 'kB'),
    reported('of its growth, data of the app', inKb(late.appBytes - early.appBytes), 'kB'),
    {
      ...reported('growth of the heap until the last', heap * 100, '%'),
      limit: `≤ ${growthMax * 100}`,
      ok: heap <= growthMax,
    },
    {
      ...reported('growth of the heap without compiled code', withoutCode * 100, '%'),
      limit: `≤ ${growthMax * 100}`,
      ok: withoutCode <= growthMax,
    },
    { ...reported('growth of the listeners', listeners), limit: '≤ 0', ok: listeners <= 0 },
    reported('growth of the nodes', growth((h) => h.nodes) * 100, '%'),
    {
      ...reported(`of ${pagesLeft} pages left, with products still subscribed`, stillWatched),
      limit: '0',
      ok: stillWatched === 0,
    },
  ]
}

/** Every page that a member sees, and the page of an open order; none of a product that the venue refuses to subscribe. */
async function pagesInTurn(client: ApiClient): Promise<string[]> {
  const mark = 'ID'
  const marks = {
    openOrder: mark,
    closedOrder: mark,
    deposit: mark,
    withdrawal: mark,
    news: mark,
    highlight: mark,
  }
  const refused = 'id=NOWHERE'
  const all = stops(marks).filter(
    ({ href, guest }) => !guest && !href.includes(`id=${mark}`) && !href.includes(refused),
  )
  const order = await openOrder(client)
  return [...(order === undefined ? [] : [`/#${paths.order}?id=${order}`]), ...all.map(({ href }) => href)]
}

/**
 * The venue's clock is seconds ahead when it reads an order, and its feed is stale after 42 ms without a turn. So a
 * rejected order is sent again, and on a machine that is too busy the round has no order.
 */
async function openOrder(client: ApiClient): Promise<string | undefined> {
  for (let tries = 0; tries < ordersTriedMax; tries++) {
    try {
      const order = await client.send<Order>('POST', '/orders', {
        productId: 'BTCUSDT',
        direction: 'up',
        amount: '10.00',
        seconds: 7200,
        rateBp: 8500,
        validUntil: (await venueNow(client)) + 25_000,
      })
      return order.id
    } catch (error) {
      if (!/"(FEED_STALE|INTENT_EXPIRED)"/.test(String(error))) throw error
      await pause(50)
    }
  }
  return undefined
}

const venueNow = async (client: ApiClient): Promise<number> =>
  (await client.get<{ now: number }>('/time')).now

const watched = (page: Page): Promise<number> => page.evaluate(() => globalThis.line.watched.size)

async function waitUntilUnwatched(page: Page): Promise<boolean> {
  const unwatched = page.waitForFunction(() => globalThis.line.watched.size === 0, undefined, {
    timeout: releaseWithinMs,
  })
  return unwatched.then(
    () => true,
    () => false,
  )
}

async function openFastVenue(): Promise<{ url: string; close: () => Promise<void> }> {
  const script = join(import.meta.dirname, 'memory', 'venue.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(speed)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value: url, done } = await lines.next()
  if (done) throw new Error('the venue did not start')
  return {
    url,
    close: async () => {
      child.stdin.end()
      await exited
    },
  }
}
