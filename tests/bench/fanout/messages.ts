import { performance } from 'node:perf_hooks'

/** From the receivers to the sender: all are connected, all have one more frame, the result of a measurement. */
export type FromReceivers =
  | { kind: 'ready' }
  | { kind: 'delivered' }
  | { kind: 'measured'; perSecond: number; p50Ms: number; p99Ms: number }
/** From the sender to the receivers: start and stop measuring. */
export type ToReceivers = 'begin' | 'end'

/** The result of one sender. */
export type SideResult = {
  /** Memory of the sending process for each socket, resident and in the JavaScript heap. */
  bytesASocket: number
  heapASocket: number
  paced: Measurement
  saturated: Measurement
}
export type Measurement = {
  /** Frames a second received, over all sockets. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The sender's processor time for each received frame. */
  cpuUs: number
}

export type Side = 'venue' | 'raw'

/** The machine's monotonic clock, shared by both processes; in whole microseconds, so that a frame can contain it. */
const zeroUs = Number(process.hrtime.bigint() / 1000n) - performance.now() * 1000
export const nowUs = (): number => Math.round(zeroUs + performance.now() * 1000)

/** A frame's text starts with this, followed by the instant at which it was sent. */
export const framePrefix = '42["ticks",['
