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
  /** A button for as long as the toast is there, such as Undo. */
  action?: ToastAction
}

export type ToastAction = {
  label: string
  /** The key that does the same, shown on the button of the newest one. */
  keys?: string
  run: () => void
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
  action?: ToastAction
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

/** Shows a toast; a text already on screen is not repeated, unless it has an action, which is another one each time. Returns its id. */
export function toast({ text, kind = 'plain', link, action }: ToastInput): number {
  const existing = action === undefined && toasts.find((entry) => entry.text === text)
  if (existing) return existing.id
  const id = nextId
  nextId += 1
  const added = { id, text, kind, ...(link && { link }), ...(action && { action }) }
  setToasts([...toasts, added].slice(-maxShown))
  return id
}

/** The newest toast with an action. */
export const newestAction = (shown: readonly Toast[]): Toast | undefined =>
  shown.findLast(({ action }) => action !== undefined)

/** Does what the button of a toast says, once: the toast goes. */
export function runToastAction(id: number): void {
  const entry = toasts.find((one) => one.id === id)
  dismissToast(id)
  entry?.action?.run()
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

/** Reports that a title bar was added or removed: toasts may cover it. A page has its bar only once its code is loaded. */
export const titleBarChanged = (): void => emitter.emit()

/** How long what a toast offers can be done. */
const actionMs = 10_000

/** How long a toast stays, in ms: at least 4 s, longer for long texts, problems and links; ten seconds with an action. */
export function toastDurationMs({
  text,
  kind,
  link,
  action,
}: Pick<Toast, 'text' | 'kind' | 'link' | 'action'>): number {
  if (action !== undefined) return actionMs
  const readingMs = 1_500 + text.length * 60
  const minimumMs = link !== undefined ? 8_000 : kind === 'problem' ? 6_000 : 4_000
  return Math.min(12_000, Math.max(minimumMs, readingMs))
}
