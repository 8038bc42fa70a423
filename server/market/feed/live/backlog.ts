import type { LiveReading, LiveTick } from '../feed.ts'
import type { SourceTick } from './sourceTick.ts'

/** The capacity is this many seconds of the busiest one so far. */
const peakSeconds = 5
/** Enough for a burst on a product that was quiet until then. */
const minCapacity = 20_000

/** The covered ticks and gaps of one product that are not committed yet. Its size is limited. */
export class Backlog {
  #ticks: LiveTick[] = []
  #gaps: { from: number; to: number }[] = []
  #second = 0
  #inSecond = 0
  #peak = 0

  /** `at` never falls from one call to the next. */
  addAll(ticks: readonly SourceTick[], at: number): void {
    const second = Math.floor(at / 1000)
    this.#inSecond = ticks.length + (second === this.#second ? this.#inSecond : 0)
    this.#second = second
    this.#peak = Math.max(this.#peak, this.#inSecond)
    for (const { price, size, sourceId, sourceAt } of ticks)
      this.#ticks.push({ at, price, size, sourceId, sourceAt })
  }

  addGap(gap: { from: number; to: number }): void {
    this.#gaps.push(gap)
  }

  /** Whether `more` ticks would exceed the limit. */
  isFull(more: number): boolean {
    return this.#ticks.length + more > Math.max(minCapacity, peakSeconds * this.#peak)
  }

  read(until: number): Pick<LiveReading, 'ticks' | 'gaps'> {
    return {
      ticks: this.#ticks.slice(0, countUntil(this.#ticks, until)),
      gaps: this.#gaps.filter(({ to }) => to <= until),
    }
  }

  release(until: number): void {
    const count = countUntil(this.#ticks, until)
    if (count > 0) this.#ticks = this.#ticks.slice(count)
    if (this.#gaps.length > 0) this.#gaps = this.#gaps.filter(({ to }) => to > until)
  }
}

/** How many of the ticks, ordered by `at`, are at or before an instant. */
function countUntil(ticks: readonly LiveTick[], until: number): number {
  let count = ticks.length
  while (count > 0 && (ticks[count - 1]?.at ?? 0) > until) count--
  return count
}
