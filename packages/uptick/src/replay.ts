/** Recordings as streams: with their own spacing on any scheduler, or as a whole market in memory. */
import {
  createReplayWire as createWholeReplayWire,
  type ReplayProduct,
  type ReplayWire,
} from '../../../streams/index.ts'
import type { ReplayWireOptions } from '../../../streams/replay/replay.ts'

export { createStreams, recordTicks, replayTicks, virtualClock } from '../../../streams/index.ts'
export type {
  Align,
  ReplayClock,
  ReplayFaults,
  ReplayOptions,
  ReplayProduct,
  ReplayWire,
  Streams,
  StreamsParts,
  Tick,
  VirtualClock,
  Wire,
} from '../../../streams/index.ts'
export { parseRecording } from './recording.ts'
export type { Recording } from '../../../contract/recording.ts'
export { openReplay, replayProduct } from './replayedMarket.ts'
export type { ReplayedMarket, Time } from './replayedMarket.ts'

/**
 * An in-memory market from recordings: a wire with the contract's frames, heartbeats and tickers, and the matching REST
 * calls. On a virtual scheduler it replays identically every time, at any speed. It has no members: the caller adds
 * account calls.
 * @param options `sha`: a SHA-256 that is faster than the one for every platform; `withHashes`: whether each second's heads have
 * their hashes, so that `seenHeads` has them; default: yes; `isDecoded`: prices come as the streams read them, not as they travel
 * @throws RangeError if `speed` is not more than 0
 */
export const createReplayWire: (
  products: readonly ReplayProduct[],
  options?: ReplayWireOptions,
) => ReplayWire = createWholeReplayWire
