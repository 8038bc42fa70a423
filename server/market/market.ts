import { openMarketFollower, splitFollower, type LogFollower, type MarketFollower } from './read/follower.ts'
import { openMarketWriter, type MarketWriterParts } from './writer.ts'

export type MarketParts = MarketWriterParts

/** The market as HTTP requests and sockets read it. */
export type ReadMarket = Omit<MarketFollower, keyof LogFollower> & {
  /** How many ticks of feeds the log dropped. */
  dropped: () => number
  /** How many flushes of this process failed since its start; each is tried again. */
  failedFlushes: () => number
}

/** A market whose writer runs in this thread: for tests, and for programs that serve no HTTP. */
export type RunningMarket = ReadMarket & { start: () => void; stop: () => Promise<void> }

/**
 * Opens writer and follower in one thread and connects them directly.
 * @throws ProductsError if the table contradicts the log, LogCorruptError if the log contradicts itself
 */
export async function createMarket(parts: MarketParts): Promise<RunningMarket> {
  const writer = await openMarketWriter(parts)
  const follower = await openMarketFollower({
    ...parts,
    registered: writer.registered,
    end: writer.end(),
    isCatchingUp: writer.isCatchingUp,
  })
  const { market, log } = splitFollower(follower)
  writer.onCommit(log.apply)
  writer.onCompacted(log.applyCompacted)
  return {
    ...market,
    start: writer.start,
    stop: writer.stop,
    dropped: () => writer.counts().dropped,
    failedFlushes: () => writer.counts().failedFlushes,
  }
}
