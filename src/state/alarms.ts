import { createEmitter } from '../lib/emitter.ts'

/** An order whose proof failed on this device and that the member has not viewed since. */
export type Alarm = { orderId: string; no: string }

const none: readonly Alarm[] = []
let current = none
const emitter = createEmitter()

/** Replaces the active alarms. They come from `evidence.ts`, where they survive a reload. */
export function setAlarms(alarms: readonly Alarm[]): void {
  if (alarms.length === 0 && current.length === 0) return
  current = alarms.length === 0 ? none : alarms
  emitter.emit()
}

/** For `useSyncExternalStore`. */
export const watchAlarms = emitter.subscribe
export const activeAlarms = (): readonly Alarm[] => current
