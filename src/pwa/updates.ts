import { createEmitter } from '../emitter.ts'

/** Whether a new version waits for the member's word. */
let waiting = false
let isPostponed = false
const emitter = createEmitter()

function change(next: { waiting?: boolean; putOff?: boolean }): void {
  waiting = next.waiting ?? waiting
  isPostponed = next.putOff ?? isPostponed
  emitter.emit()
}

/** A new version is here, and asks to be let in. */
export const offerUpdate = (): void => change({ waiting: true })

/** Not now: nothing is asked again on this visit, and the next one starts with the new version. */
export const postponeUpdate = (): void => change({ putOff: true })

/** For `useSyncExternalStore`: whether to ask. */
export const isUpdateOffered = (): boolean => waiting && !isPostponed

/** For `useSyncExternalStore`. */
export const watchUpdates = emitter.subscribe
