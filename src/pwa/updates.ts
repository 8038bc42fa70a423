import { createWatchers } from '../watchers.ts'

/** Whether a new version waits for the member's word. */
let waiting = false
let putOff = false
const watchers = createWatchers()

function change(next: { waiting?: boolean; putOff?: boolean }): void {
  waiting = next.waiting ?? waiting
  putOff = next.putOff ?? putOff
  watchers.tell()
}

/** A new version is here, and asks to be let in. */
export const offerUpdate = (): void => change({ waiting: true })

/** Not now: nothing is asked again on this visit, and the next one starts with the new version. */
export const putOffUpdate = (): void => change({ putOff: true })

/** For `useSyncExternalStore`: whether to ask. */
export const updateOffered = (): boolean => waiting && !putOff

/** For `useSyncExternalStore`. */
export const watchUpdates = watchers.watch
