import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Order } from '../../contract/orders.ts'
import { paths } from '../../src/paths.ts'
import { browserLaunch } from '../support/browser.ts'
import { openApiClient } from '../pageSweep/apiClient.ts'
import type { ApiClient } from '../pageSweep/apiClient.ts'
import { stops } from '../pageSweep/stops.ts'
import { visit, openVisitor } from '../pageSweep/visit.ts'
import { measureHeap } from './memory/heapUse.ts'
import type { HeapUse } from './memory/heapUse.ts'
import { watchSocket } from './memory/page.ts'
import type { Row } from './row.ts'

const root = resolve(import.meta.dirname, '../..')
/** 8 hours in 10 minutes; `MINUTES=1` tries it short, at the same speed. */
const speed = 48
const minutes = Number(process.env['MINUTES'] ?? 10)
/** The first rounds load what there is, and the engine compiles what runs often: only what comes after can be growth. */
const warmRounds = 3
/** Else the engine compiles what runs hot better and better for an hour, and that is more than all the app keeps. */
const onlyBytecode = '--js-flags=--no-opt --no-maglev --no-sparkplug'
const glanceMs = 300
/** A page with prices is looked at for longer: most of the time is theirs. */
const dwellMs = Math.max(1500, minutes * 600)
/** The hub lets go two seconds after the last who looked; then the venue is told. */
const releaseWithinMs = 10_000
const growthMax = 0.05
const ordersTriedMax = 100

/** Nothing moves on it, so that it is the same page each time the heap is looked at. */
const restHref = `/#${paths.about}`

/** P9: hours of ticks with the pages visited in turn: what the page holds at the end against what it held early. */
export async function run(): Promise<Row[]> {
  if (!existsSync(join(root, 'dist/client/index.html'))) throw new Error('build first: npm run build')
  const venue = await openFastVenue()
  const launch = await browserLaunch()
  const browser = await chromium.launch({ ...launch, args: [...(launch.args ?? []), onlyBytecode] })
  const client = await openApiClient(venue.url, '')
  try {
    const none = { openOrder: '', closedOrder: '', deposit: '', withdrawal: '', news: '', highlight: '' }
    const sample = { ...none, client, registerInfo: null }
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
  let began = 0
  const samples: HeapUse[] = []
  const left: string[] = []
  let letGo = 0
  while (samples.length <= warmRounds || Date.now() - startedAt < minutes * 60_000) {
    if (samples.length === warmRounds) {
      startedAt = Date.now()
      began = await venueNow(client)
    }
    for (const href of await pagesInTurn(client)) {
      await visit(page, origin, { href })
      await page.waitForTimeout(glanceMs)
      if ((await watched(page)) === 0) continue
      await page.waitForTimeout(dwellMs)
      await visit(page, origin, { href: restHref })
      letGo += 1
      if (!(await waitUntilUnwatched(page))) left.push(href)
    }
    await visit(page, origin, { href: restHref })
    await waitUntilUnwatched(page)
    const now = await measureHeap(session)
    samples.push(now)
    console.error(
      `  round ${samples.length}: ${inMb(now.heap)} MB, ${inMb(now.code)} of it code, ${inMb(now.appBytes)} kept`,
    )
  }
  if (left.length > 0) console.error(`still watched after leaving: ${[...new Set(left)].join(', ')}`)
  const hours = ((await venueNow(client)) - began) / 3_600_000
  const { frames, opened } = await page.evaluate(() => ({
    frames: globalThis.line.frames,
    opened: globalThis.line.opened,
  }))
  return table(samples, { hours, frames, opened, letGo, left: left.length })
}

const inMb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2)

type Seen = { hours: number; frames: number; opened: number; letGo: number; left: number }

function table(samples: readonly HeapUse[], { hours, frames, opened, letGo, left }: Seen): Row[] {
  const [early, late] = [samples[warmRounds - 1], samples.at(-1)]
  if (!early || !late) throw new Error('no round was finished')
  const reported = (what: string, value: number, unit = ''): Row => ({ id: 'P9', what, value, unit })
  const growth = (select: (held: HeapUse) => number): number => select(late) / select(early) - 1
  const heap = growth((h) => h.heap)
  const settled = growth((h) => h.heap - h.code)
  const inKb = (bytes: number): number => bytes / 1024
  const listeners = late.listeners - early.listeners
  return [
    reported('of the venue with the pages visited in turn', hours, 'hours'),
    reported('rounds of all pages', samples.length),
    reported('frames of ticks heard', frames),
    reported('lines opened, one is all it takes', opened),
    reported('heap after three rounds, garbage collected', early.heap / 1024 / 1024, 'MB'),
    reported('of its growth, code that the engine compiled', inKb(late.code - early.code), 'kB'),
    reported('of its growth, what the app keeps', inKb(late.appBytes - early.appBytes), 'kB'),
    {
      ...reported('growth of the heap until the last', heap * 100, '%'),
      limit: `≤ ${growthMax * 100}`,
      ok: heap <= growthMax,
    },
    {
      ...reported('growth of the heap without that code', settled * 100, '%'),
      limit: `≤ ${growthMax * 100}`,
      ok: settled <= growthMax,
    },
    { ...reported('listeners more than then', listeners), limit: '≤ 0', ok: listeners <= 0 },
    reported('growth of the nodes', growth((h) => h.nodes) * 100, '%'),
    { ...reported(`of ${letGo} pages left, something still watched`, left), limit: '0', ok: left === 0 },
  ]
}

/** Every page that a member sees, and the page of an order that is open now. */
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
  const all = stops(marks).filter(({ href, guest }) => !guest && !href.includes(`id=${mark}`))
  const order = await openOrder(client)
  return [...(order === undefined ? [] : [`/#${paths.order}?id=${order}`]), ...all.map(({ href }) => href)]
}

/**
 * The venue has moved on by seconds when it reads an order, and its feed is stale after 42 ms without a turn: one that
 * is refused is asked again, and on a machine that is too busy the round goes without.
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
  const gone = page.waitForFunction(() => globalThis.line.watched.size === 0, undefined, {
    timeout: releaseWithinMs,
  })
  return gone.then(
    () => true,
    () => false,
  )
}

async function openFastVenue(): Promise<{ url: string; close: () => Promise<void> }> {
  const script = join(import.meta.dirname, 'memory', 'venue.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(speed)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value: url, done } = await lines.next()
  if (done) throw new Error('the venue did not start')
  return {
    url,
    close: async () => {
      child.stdin.end()
      await gone
    },
  }
}
