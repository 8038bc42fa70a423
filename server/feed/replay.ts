import { countAt, sessionAt, tickOf } from '../../contract/recording.ts'
import type { Played } from '../../contract/recording.ts'
import { noTicks } from './feed.ts'
import type { Feed, FeedSource } from './feed.ts'

const historyMs = 86_400_000

/** An endless replay of a laid-out recording; its first pass begins at `epoch`. */
export function replayFeed(played: Played, epoch: number): Feed {
  return {
    due: (after, until) => dueTicks(played, epoch, after, until),
    sessionAt: (t) => sessionAt(played, epoch, t),
    openingPrice: played.price[0] ?? 0,
    countAt: (t) => countAt(played, epoch, t),
    tickOf: (n) => tickOf(played, epoch, n),
  }
}

/**
 * A recording as a feed source. It can compute the day before its first start.
 * @param fingerprint `replay:<SHA-256 of the file, hex>:<pauseMs>:<closedPauseMs>`
 */
export function replaySource(
  played: Played,
  fingerprint: string,
  label: string,
  skipped: number,
): FeedSource {
  return { fingerprint, label, historyMs, skipped, open: (epoch) => replayFeed(played, epoch) }
}

/** Walks passes and their columns in step instead of finding each tick anew. */
function dueTicks(played: Played, epoch: number, after: number, until: number): readonly number[] {
  const count = played.offset.length
  let n = countAt(played, epoch, after)
  const end = countAt(played, epoch, until)
  if (n >= end) return noTicks
  const values: number[] = []
  while (n < end) {
    const pass = Math.floor(n / count)
    const base = pass * count
    const start = epoch + pass * played.period
    const prices = pass % 2 === 0 ? played.price : played.mirrored
    const stop = Math.min(end, base + count)
    for (let i = n - base; i < stop - base; i++) {
      values.push(start + (played.offset[i] ?? 0), prices[i] ?? 0, played.size[i] ?? 0)
    }
    n = stop
  }
  return values
}
