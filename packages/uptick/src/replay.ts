/** Recordings as streams: with their own spacing on any scheduler, or as a whole market in memory. */
export {
  createReplayWire,
  createStreams,
  recordTicks,
  replayTicks,
  virtualClock,
} from '../../../streams/index.ts'
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
