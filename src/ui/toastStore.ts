import { createEmitter } from '../lib/emitter.ts'

/**
 * `success` and `plain` inform; `problem` has a warning icon and stays longer. `spoken` is for screen readers alone: the page
 * shows it already.
 */
export type ToastKind = 'plain' | 'success' | 'problem' | 'spoken'

export type ToastInput = {
  text: string
  kind?: ToastKind
  /** A toast with a link stays longer, so that there is time to reach it. */
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

/** With more than three at once the oldest is removed. */
const maxShown = 3

let toasts: readonly Toast[] = []
let place: Element | undefined
let nextId = 1
const emitter = createEmitter()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  emitter.emit()
}

/** Shows a toast; a text already on screen is not repeated. Returns its id. */
export function toast({ text, kind = 'plain', link }: ToastInput): number {
  const existing = toasts.find((entry) => entry.text === text)
  if (existing !== undefined) return existing.id
  const id = nextId
  nextId += 1
  setToasts([...toasts, { id, text, kind, ...(link && { link }) }].slice(-maxShown))
  return id
}

/** Removes a toast; without an id, all. */
export function dismissToast(id?: number): void {
  setToasts(id === undefined ? [] : toasts.filter((entry) => entry.id !== id))
}

/** For `useSyncExternalStore`. */
export const subscribeToasts = emitter.subscribe

/** The toasts on screen, oldest first. */
export function currentToasts(): readonly Toast[] {
  return toasts
}

/**
 * Sets what toasts may cover, one at a time, on a page where everything else must stay in sight; undefined: they are over
 * the title of its bar or what the shell has for them.
 */
export function setToastPlace(element: Element | undefined): void {
  if (element === place) return
  place = element
  emitter.emit()
}

/** For `useSyncExternalStore`. */
export function toastPlace(): Element | undefined {
  return place
}

/** Says that a title bar came or went: toasts may be over it. A page has its bar only once its code is loaded. */
export const titleBarChanged = (): void => emitter.emit()

/** How long a toast stays, in ms: at least 4 s, longer for long texts, problems and links. */
export function toastDurationMs({ text, kind, link }: Pick<Toast, 'text' | 'kind' | 'link'>): number {
  const readingMs = 1_500 + text.length * 60
  const minimumMs = link !== undefined ? 8_000 : kind === 'problem' ? 6_000 : 4_000
  return Math.min(12_000, Math.max(minimumMs, readingMs))
}
