import { performance } from 'node:perf_hooks'

/** From the receivers to the sender: all are connected, all have one more frame, the result of a measurement. */
export type FromReceivers =
  | { kind: 'ready' }
  | { kind: 'delivered' }
  | { kind: 'measured'; perSecond: number; p50Ms: number; p99Ms: number }
/** From the sender to the receivers: start and stop measuring; connect more while no frames are sent. */
export type ToReceivers = 'begin' | 'end' | { open: number }

export type Pace = 'paced' | 'saturated'
/** To a sender whose receivers are connected; it answers each with one message. */
export type ToSender =
  | { kind: 'connect'; more: number }
  | { kind: 'measure'; pace: Pace; ms: number }
  | { kind: 'memory' }
  | { kind: 'end' }
export type FromSender =
  | { kind: 'connected' }
  | { kind: 'measured'; measurement: Measurement }
  | { kind: 'memory'; memory: Memory }
  | { kind: 'ended' }

/** Memory of the sending process, bytes. */
export type Memory = {
  resident: number
  /** In use in the JavaScript heap. */
  heap: number
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
