/**
 * P2: tick to pixel in Chromium. The app's rows (wire, hub, one publish per animation frame, `useSyncExternalStore` per
 * row) against the minimum: the same frames written into text nodes on `requestAnimationFrame`.
 */
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { bundle } from './browserPage.ts'
import type { Gaps, Painter } from './pixel/page.tsx'
import { median, type Row } from './row.ts'

const seconds = 3
const runs = 5
const busyMax = 1.1
const p99Max = 1.05
const framesMin = 58
const loads = [50, 200].flatMap((rows) => [200, 2000, 20_000].map((perSecond) => ({ rows, perSecond })))

type Cost = Gaps & { busyMs: number }

/** Runs the bench; each value is the median of five runs taken in turn. */
export async function run(): Promise<Row[]> {
  const code = await bundle(join(import.meta.dirname, 'pixel', 'page.tsx'))
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.setContent('<main></main>')
    await page.addScriptTag({ content: code })
    const session = await page.context().newCDPSession(page)
    // Processor time, not clock time, so that other work on the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const rows: Row[] = []
    for (const load of loads) rows.push(...(await compare(page, session, load)))
    return rows
  } finally {
    await browser.close()
  }
}

async function compare(page: Page, session: CDPSession, load: (typeof loads)[number]): Promise<Row[]> {
  const costs: Record<Painter, Cost[]> = { app: [], vanilla: [] }
  for (let i = 0; i < runs; i++) {
    for (const painter of ['vanilla', 'app'] as const) {
      costs[painter].push(await measure(page, session, painter, load))
    }
  }
  const of = (painter: Painter, name: keyof Cost) => median(costs[painter].map((cost) => cost[name]))
  const at = `${load.rows} rows, ${load.perSecond} ticks/s`
  const busy = of('app', 'busyMs') / of('vanilla', 'busyMs')
  const p99 = of('app', 'p99Ms') / of('vanilla', 'p99Ms')
  const frames = of('app', 'frames') / seconds
  const longTasks = of('app', 'longTasks')
  return [
    {
      id: 'P2',
      what: `busy, ${at}: app / vanilla`,
      value: busy,
      unit: '×',
      limit: `≤ ${busyMax}`,
      ok: busy <= busyMax,
    },
    {
      id: 'P2',
      what: `p99 frame, ${at}: app / vanilla`,
      value: p99,
      unit: '×',
      limit: `≤ ${p99Max}`,
      ok: p99 <= p99Max,
    },
    {
      id: 'P2',
      what: `frames a second, ${at}`,
      value: frames,
      unit: 'fps',
      limit: `≥ ${framesMin}`,
      ok: frames >= framesMin,
    },
    { id: 'P2', what: `long tasks, ${at}`, value: longTasks, unit: '', limit: '0', ok: longTasks === 0 },
  ]
}

async function measure(
  page: Page,
  session: CDPSession,
  painter: Painter,
  { rows, perSecond }: (typeof loads)[number],
): Promise<Cost> {
  await page.evaluate(([name, count]) => globalThis.pixelBench.open(name, count), [painter, rows] as const)
  const before = await taskMs(session)
  const gaps = await page.evaluate(([rate, length]) => globalThis.pixelBench.run(rate, length), [
    perSecond,
    seconds,
  ] as const)
  return { ...gaps, busyMs: (await taskMs(session)) - before }
}

/** The main thread's task time so far, as the browser counts it. */
async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}
