import { createEmitter } from '../lib/emitter.ts'

/** Whether a new version is waiting for the member's consent. */
let isWaiting = false
let isPostponed = false
const emitter = createEmitter()

function change(next: { isWaiting?: boolean; isPostponed?: boolean }): void {
  isWaiting = next.isWaiting ?? isWaiting
  isPostponed = next.isPostponed ?? isPostponed
  emitter.emit()
}

/** Offers a new version. */
export const offerUpdate = (): void => change({ isWaiting: true })

/** Not now: it is not offered again on this visit, and the next one starts with the new version. */
export const postponeUpdate = (): void => change({ isPostponed: true })

/** For `useSyncExternalStore`. */
export const isUpdateOffered = (): boolean => isWaiting && !isPostponed

/** For `useSyncExternalStore`. */
export const watchUpdates = emitter.subscribe
