import type { MarketFollower } from './follower.ts'
import { openMarketFollower } from './follower.ts'
import { openMarketWriter } from './writer.ts'
import type { MarketWriterParts } from './writer.ts'

export type MarketParts = MarketWriterParts

/** The market as calls and sockets read it. */
export type ReadMarket = Omit<MarketFollower, 'apply' | 'applyCompacted'> & {
  /** Ticks that a feed gave and the log refused. */
  dropped: () => number
}

/** A market whose writer runs in this thread: for tests, and for programs that need no HTTP beside it. */
export type RunningMarket = ReadMarket & { start: () => void; stop: () => Promise<void> }

/**
 * Opens writer and follower in one thread and links them directly.
 * @throws ProductsError if the table contradicts the log, LogCorruptError if the log contradicts itself
 */
export async function createMarket(parts: MarketParts): Promise<RunningMarket> {
  const writer = await openMarketWriter(parts)
  const { apply, applyCompacted, ...follower } = await openMarketFollower({
    ...parts,
    registered: writer.registered,
    end: writer.end(),
    catchesUp: writer.catchesUp,
  })
  writer.onCommit(apply)
  writer.onCompacted(applyCompacted)
  return { ...follower, start: writer.start, stop: writer.stop, dropped: writer.dropped }
}
