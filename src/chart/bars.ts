import type { Candle } from '../../contract/candles.ts'

/**
 * An update of a series costs as much as the series is long, so the bars lie in two: history, which is left
 * alone, and a live tail. Past `tailMax` the tail is cut to `tailKeep`, so that the long series is rebuilt
 * once in `tailMax − tailKeep` bars and not with each.
 */
export const tailMax = 300
export const tailTrimTo = 150

/** What became of a live bar: the newest one changed, one was added, the tail was cut, or it came too late. */
export type ApplyResult = 'changed' | 'added' | 'cut' | 'ignored'

export type Bars = {
  /** Every bar, ascending; a bar's place here is its place on the time scale. */
  all(): readonly Candle[]
  /** Up to and including the first bar of the tail, so that a line through both has no gap. Empty if all fit. */
  history(): Candle[]
  tail(): Candle[]
  reset(candles: readonly Candle[]): void
  /** False where nothing older was among them. */
  prepend(candles: readonly Candle[]): boolean
  apply(candle: Candle): ApplyResult
}

/** The bars of one chart and the seam between their two series. */
export function createBars(): Bars {
  let all: Candle[] = []
  let tailStart = 0

  return {
    all: () => all,
    history: () => (tailStart === 0 ? [] : all.slice(0, tailStart + 1)),
    tail: () => all.slice(tailStart),
    reset(candles) {
      all = ascending(candles)
      tailStart = startOfTail(all.length)
    },
    prepend(candles) {
      const oldest = all[0]?.openAt ?? Number.POSITIVE_INFINITY
      const older = ascending(candles).filter((candle) => candle.openAt < oldest)
      if (older.length === 0) return false
      all = [...older, ...all]
      tailStart += older.length
      if (all.length - tailStart < tailTrimTo) tailStart = startOfTail(all.length)
      return true
    },
    apply(candle) {
      const last = all.at(-1)
      if (last !== undefined && candle.openAt < last.openAt) return 'ignored'
      if (last !== undefined && candle.openAt === last.openAt) {
        all[all.length - 1] = candle
        return 'changed'
      }
      all.push(candle)
      if (all.length - tailStart <= tailMax) return 'added'
      tailStart = all.length - tailTrimTo
      return 'cut'
    },
  }
}

/** The first bar at or after which `at` falls: its place, −1 before the first. */
export function barIndexAt(bars: readonly Candle[], at: number): number {
  let low = 0
  let high = bars.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((bars[middle]?.openAt ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * Where an instant stands on the time scale, in bars: its own bar plus the share of it that has passed. After
 * the newest bar time goes on at one bar a `tfMs`; in a hole between bars it waits at the next one.
 */
export function logicalOf(bars: readonly Candle[], at: number, tfMs: number): number | undefined {
  const place = barIndexAt(bars, at)
  const bar = bars[place]
  if (bar === undefined) return bars.length === 0 ? undefined : 0
  const passed = (at - bar.openAt) / tfMs
  return place === bars.length - 1 ? place + passed : place + Math.min(1, passed)
}

const startOfTail = (count: number): number => (count <= tailMax ? 0 : count - tailTrimTo)

/** Strictly ascending: of two bars of one bucket the later in the list counts, an older one after a newer is dropped. */
function ascending(candles: readonly Candle[]): Candle[] {
  const result: Candle[] = []
  for (const candle of candles) {
    const last = result.at(-1)
    if (last === undefined || candle.openAt > last.openAt) result.push(candle)
    else if (candle.openAt === last.openAt) result[result.length - 1] = candle
  }
  return result
}
