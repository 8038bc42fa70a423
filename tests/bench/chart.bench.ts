/**
 * P3: the cost of a live chart on the main thread with 100,000 bars against 1,000, in Chromium. History and live tail
 * are two series, so the two should cost the same.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { bundle } from './browserPage.ts'
import type { LiveCost } from './chart/page.ts'
import { median, type Row } from './row.ts'

const ticksPerSecond = 2000
const seconds = 4
const runs = 3
const ratioMax = 1.1
/** Out of 60: a shared machine always drops one or two. */
const framesMin = 55

/** Runs the bench; each row is the median of three runs taken in turn. */
export async function run(): Promise<Row[]> {
  const code = await bundle(join(import.meta.dirname, 'chart', 'page.ts'))
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 712, height: 560 } })
    await page.setContent('<style>html,body{margin:0;height:100%}</style>')
    await page.addScriptTag({ content: code })
    await measure(page, 1000)
    const few: LiveCost[] = []
    const many: LiveCost[] = []
    for (let i = 0; i < runs; i++) {
      few.push(await measure(page, 1000))
      many.push(await measure(page, 100_000))
    }
    return rowsOf(few, many)
  } finally {
    await browser.close()
  }
}

const measure = (page: Page, bars: number): Promise<LiveCost> =>
  page.evaluate(([count, rate, length]) => globalThis.chartBench.live(count, rate, length), [
    bars,
    ticksPerSecond,
    seconds,
  ] as const)

function rowsOf(few: readonly LiveCost[], many: readonly LiveCost[]): Row[] {
  const perFrame = ({ updateMs, busyMs, frames }: LiveCost) => (updateMs + busyMs) / frames
  const perSecond = ({ frames, seconds }: LiveCost) => frames / seconds
  const ratio = median(many.map(perFrame)) / median(few.map(perFrame))
  const frames = median(many.map(perSecond))
  const at = `${ticksPerSecond} ticks/s`
  return [
    {
      id: 'P3',
      what: `chart, busy a frame at ${at}: 100,000 bars against 1,000`,
      value: round(ratio),
      unit: '×',
      limit: `≤ ${ratioMax}`,
      ok: ratio <= ratioMax,
    },
    {
      id: 'P3',
      what: `chart, frames a second at ${at} with 100,000 bars`,
      value: round(frames),
      unit: 'fps',
      limit: `≥ ${framesMin}`,
      ok: frames >= framesMin,
    },
    {
      id: 'P3',
      what: `chart, busy a frame at ${at} with 100,000 bars`,
      value: round(median(many.map(perFrame))),
      unit: 'ms',
      limit: '≤ 16.7',
      ok: median(many.map(perFrame)) <= 1000 / 60,
    },
  ]
}

const round = (value: number): number => Math.round(value * 1000) / 1000
