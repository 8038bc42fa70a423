import { createWatchers } from '../watchers.ts'

/** An order whose proof did not hold on this device, and that the member has not looked at since. */
export type Alarm = { orderId: string; no: string }

const none: readonly Alarm[] = []
let raised = none
const watchers = createWatchers()

/** Replaces what is raised; what it is comes from `evidence.ts`, where it survives a reload. */
export function setAlarms(alarms: readonly Alarm[]): void {
  if (alarms.length === 0 && raised.length === 0) return
  raised = alarms.length === 0 ? none : alarms
  watchers.tell()
}

/** For `useSyncExternalStore`. */
export const watchAlarms = watchers.watch
export const raisedAlarms = (): readonly Alarm[] => raised
