import { createEmitter } from '../emitter.ts'

/** `success` and `plain` inform; `problem` wears an alert mark and stays longer. */
export type ToastKind = 'plain' | 'success' | 'problem'

export type ToastInput = {
  text: string
  kind?: ToastKind
  /** Where the text leads: a toast with a link stays until there was time to reach it. */
  link?: ToastLink
}

export type ToastLink = {
  label: string
  href: string
}

/** A toast on screen. */
export type Toast = {
  id: number
  text: string
  kind: ToastKind
  link?: ToastLink
}

/** More than three at once is noise: the oldest gives way. */
const maxShown = 3

let toasts: readonly Toast[] = []
let nextId = 1
const emitter = createEmitter()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  emitter.emit()
}

/** Says something briefly, once: a text already on screen is not repeated. Returns its id. */
export function toast({ text, kind = 'plain', link }: ToastInput): number {
  const same = toasts.find((entry) => entry.text === text)
  if (same !== undefined) return same.id
  const id = nextId
  nextId += 1
  setToasts([...toasts, { id, text, kind, ...(link && { link }) }].slice(-maxShown))
  return id
}

/** Takes one away; without an id, all. */
export function dismissToast(id?: number): void {
  setToasts(id === undefined ? [] : toasts.filter((entry) => entry.id !== id))
}

/** For `useSyncExternalStore`. */
export const subscribeToasts = emitter.subscribe

/** What is on screen now, oldest first. */
export function currentToasts(): readonly Toast[] {
  return toasts
}

/** How long a text stays, in ms: 4 s, and longer for what takes longer to read or matters more. */
export function toastDurationMs({ text, kind, link }: Pick<Toast, 'text' | 'kind' | 'link'>): number {
  const readingMs = 1_500 + text.length * 60
  const minimumMs = link !== undefined ? 8_000 : kind === 'problem' ? 6_000 : 4_000
  return Math.min(12_000, Math.max(minimumMs, readingMs))
}
