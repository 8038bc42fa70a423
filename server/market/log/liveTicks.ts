import { sourceIdMax } from '../../../contract/constants.ts'
import type { LiveReading, LiveTick } from '../feed/feed.ts'
import { isTick } from './validTicks.ts'

/**
 * Once a live product's watermark is this far behind a committed flush, the time up to that flush is lost: it is shown as
 * a gap, minutes that include it are stored, and ticks of that time are rejected. Far above what any feed may take to
 * decide whether it has missed something.
 */
export const lostAfterMs = 30_000

/** The year 5138: above it the exchange's instant is not in milliseconds, and differences would not be exact. */
const sourceAtMax = 1e14

type Span = { from: number; to: number }

/** What a flush adds to a live product. */
export type LiveTicks = {
  /** The product's watermark after the flush. */
  watermark: number
  ticks: readonly LiveTick[]
  gaps: readonly Span[]
  dropped: readonly LiveTick[]
}

type LiveContext = {
  /** The product's watermark now: every later tick is new. */
  watermark: number
  /** Time up to here is lost unless it is before the watermark. */
  lostUntil: number
  /** The instant of the newest tick: the next one is not before it. */
  notBefore: number
  /** The flush's instant: what is after it waits for another flush. */
  until: number
}

/**
 * What a flush up to `until` can commit of a reading. It covers what the feed has covered, and the gaps that end by then;
 * from the watermark to the end of the last one of them every instant is covered or in a gap.
 */
export function liveTicksUntil(reading: LiveReading, context: LiveContext): LiveTicks {
  const { watermark: before, lostUntil, until } = context
  const covered = Math.min(reading.coveredUntil, until)
  // Lost time is written with the gap that continues it, so that both are one.
  const newSince = Math.max(before, lostUntil)
  const hasMoved = covered > newSince || reading.gaps.some(({ to }) => to > newSince)
  if (!hasMoved) return { watermark: before, ticks: [], gaps: [], dropped: [] }
  const gaps: Span[] = []
  let watermark = Math.max(before, covered)
  for (const gap of mergedGaps(reading.gaps, before, lostUntil)) {
    if (gap.to > until) {
      watermark = Math.min(watermark, gap.from)
      break
    }
    gaps.push({ from: Math.min(gap.from, watermark), to: gap.to })
    watermark = Math.max(watermark, gap.to)
  }
  const ticks: LiveTick[] = []
  const dropped: LiveTick[] = []
  let notBefore = Math.max(before + 1, context.notBefore)
  for (const tick of reading.ticks) {
    if (tick.at > watermark) break
    const isLost = gaps.some(({ from, to }) => tick.at > from && tick.at <= to)
    if (isLost || !isValid(tick, notBefore, watermark)) dropped.push(tick)
    else {
      ticks.push(tick)
      notBefore = tick.at
    }
  }
  return { watermark, ticks, gaps, dropped }
}

/** The gaps after `before` and the lost time, in order; those that touch are one. */
function mergedGaps(gaps: readonly Span[], before: number, lostUntil: number): Span[] {
  const all = [{ from: before, to: lostUntil }, ...gaps]
    .map(({ from, to }) => ({ from: Math.max(from, before), to }))
    .filter(({ from, to }) => to > from)
    .toSorted((a, b) => a.from - b.from)
  const merged: Span[] = []
  for (const gap of all) {
    const last = merged.at(-1)
    if (last && gap.from <= last.to) last.to = Math.max(last.to, gap.to)
    else merged.push(gap)
  }
  return merged
}

const isValid = (
  { at, price, size, sourceId, sourceAt }: LiveTick,
  notBefore: number,
  until: number,
): boolean =>
  isTick([at, price, size], 0, notBefore, until) &&
  sourceId.length > 0 &&
  sourceId.length <= sourceIdMax &&
  Number.isInteger(sourceAt) &&
  sourceAt >= 0 &&
  sourceAt <= sourceAtMax
