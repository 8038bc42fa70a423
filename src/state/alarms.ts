import { createEmitter } from '../emitter.ts'

/** An order whose proof did not hold on this device, and that the member has not looked at since. */
export type Alarm = { orderId: string; no: string }

const none: readonly Alarm[] = []
let current = none
const emitter = createEmitter()

/** Replaces what is raised; what it is comes from `evidence.ts`, where it survives a reload. */
export function setAlarms(alarms: readonly Alarm[]): void {
  if (alarms.length === 0 && current.length === 0) return
  current = alarms.length === 0 ? none : alarms
  emitter.emit()
}

/** For `useSyncExternalStore`. */
export const watchAlarms = emitter.subscribe
export const activeAlarms = (): readonly Alarm[] => current
