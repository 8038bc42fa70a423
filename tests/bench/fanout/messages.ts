import { performance } from 'node:perf_hooks'

/** What the crowd tells the house: that everybody is in, that everybody has one more frame, what a stretch gave. */
export type FromReceivers =
  { kind: 'in' } | { kind: 'round' } | { kind: 'stretch'; perSecond: number; p50Ms: number; p99Ms: number }
/** What the house tells the crowd: count from here, count to here. */
export type ToReceivers = 'begin' | 'end'

/** What one house came to with one crowd. */
export type SideResult = {
  /** What each socket costs the sending process, as the system counts it, and what of that is JavaScript's. */
  bytesASocket: number
  heapASocket: number
  paced: Measurement
  saturated: Measurement
}
export type Measurement = {
  /** Frames a second that arrived, over all sockets. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The sender's processor time for each frame that arrived. */
  cpuUs: number
}

export type Side = 'venue' | 'raw'

/** Both processes read the machine's one monotonic clock; in whole microseconds, so that a frame can carry it. */
const zeroUs = Number(process.hrtime.bigint() / 1000n) - performance.now() * 1000
export const nowUs = (): number => Math.round(zeroUs + performance.now() * 1000)

/** A frame's text begins with this, then comes the instant at which it was sent. */
export const framePrefix = '42["ticks",['
