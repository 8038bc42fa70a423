import type { Candle } from '../../contract/candles.ts'

/**
 * The cost of updating a series grows with its length, so the bars are split into two: a constant history and a live
 * tail. Beyond `tailMax` the tail is trimmed to `tailTrimTo`, so that the long series is rebuilt only once in
 * `tailMax − tailTrimTo` bars.
 */
export const tailMax = 300
export const tailTrimTo = 150

/** The effect of a live bar: the newest one changed, one was added, the tail was trimmed, or it was too old. */
export type ApplyResult = 'changed' | 'added' | 'trimmed' | 'ignored'

export type Bars = {
  /** Every bar, ascending; a bar's index is its position on the time scale. */
  all(): readonly Candle[]
  /** Up to and including the first bar of the tail, so that a line through both has no gap. Empty if the tail has all. */
  history(): Candle[]
  tail(): Candle[]
  reset(candles: readonly Candle[]): void
  /** False if none of them is older. */
  prepend(candles: readonly Candle[]): boolean
  apply(candle: Candle): ApplyResult
}

/** The bars of one chart, split into its two series. */
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
      return 'trimmed'
    },
  }
}

/** Index of the last bar that opened at or before `at`; −1 before the first. */
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
 * The position of an instant on the time scale, in bars: its bar plus the elapsed fraction. After the newest bar it
 * grows by one bar per `tfMs`; in a gap between bars it stays at the next one.
 */
export function logicalOf(bars: readonly Candle[], at: number, tfMs: number): number | undefined {
  const index = barIndexAt(bars, at)
  const bar = bars[index]
  if (bar === undefined) return bars.length === 0 ? undefined : 0
  const elapsed = (at - bar.openAt) / tfMs
  return index === bars.length - 1 ? index + elapsed : index + Math.min(1, elapsed)
}

const startOfTail = (count: number): number => (count <= tailMax ? 0 : count - tailTrimTo)

/** Makes bars strictly ascending: of two bars of a bucket the later in the list wins, out-of-order bars are dropped. */
function ascending(candles: readonly Candle[]): Candle[] {
  const result: Candle[] = []
  for (const candle of candles) {
    const last = result.at(-1)
    if (last === undefined || candle.openAt > last.openAt) result.push(candle)
    else if (candle.openAt === last.openAt) result[result.length - 1] = candle
  }
  return result
}
