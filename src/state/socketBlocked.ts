import { createEmitter } from '../lib/emitter.ts'

let isBlocked = false
const emitter = createEmitter()

/** Whether there is no connection although the venue answers calls. */
export const isSocketBlocked = (): boolean => isBlocked
export const watchSocketBlocked = emitter.subscribe

export function setSocketBlocked(next: boolean): void {
  isBlocked = next
  emitter.emit()
}
