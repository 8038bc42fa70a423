import { monotonicMs } from '../../platform/clock.ts'
import { createLeaderClock, type LeaderClock } from '../../platform/cluster/leaderClock.ts'
import { StandbyFeed, type StandbyFeeds, type MarketProduct } from '../../market/index.ts'
import type { Random, Report, LogLine } from '../../platform/ports.ts'

/** The engine of a standby node: it receives the live sources, so that a take-over causes no gap. */
export type Standby = { clock: LeaderClock; feeds: StandbyFeeds; close(): Promise<void> }

/** @param clockOffsetMs of a time that the leader has reached */
export function standBy(
  products: readonly MarketProduct[],
  clockOffsetMs: number,
  parts: { random: Random; logLine: LogLine; report: Report },
): Standby {
  const { random, logLine, report } = parts
  const clock = createLeaderClock(clockOffsetMs + monotonicMs())
  // All are opened before the first one starts: the products of an exchange share its connections.
  const opened = products.flatMap(({ settings, source }) =>
    source.kind === 'live' ? [[settings.id, source.open({ clock, random, logLine })] as const] : [],
  )
  const feeds = new Map(opened.map(([id, feed]) => [id, new StandbyFeed(feed, clock, report)]))
  return {
    clock,
    feeds,
    close: async () => {
      await Promise.all([...feeds.values()].map((feed) => feed.close()))
    },
  }
}
