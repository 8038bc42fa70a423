/**
 * Where the member has been in this tab. The browser keeps the entries; this marks each with its depth, so that
 * "back" knows whether there is a page of ours to go back to, and finds each as far scrolled as it was left.
 */
import { navigate, parseHash } from './hashLocation.ts'

type Mark = { key: string; depth: number }

/** More remembered places than anybody walks back through. */
const scrollsMax = 200
/** How long a page may take to grow back to the length it was left at. */
const landingMs = 3000

const scrolls = new Map<string, number>()
let current: Mark = { key: 'start', depth: 0 }
let marks = 0
/** Ends the landing under way; while there is one, a scroll is ours and not the member's. */
let endLanding: (() => void) | undefined

const isMark = (state: unknown): state is Mark =>
  typeof state === 'object' && state !== null && 'key' in state && 'depth' in state

/**
 * Starts following the history. `isTab` says which paths are tabs: those are found as they were left also when
 * they are reached by their tab and not by going back.
 */
export function followTrail(isTab: (path: string) => boolean): () => void {
  history.scrollRestoration = 'manual'
  current = isMark(history.state) ? history.state : mark(0)
  const remember = (): void => {
    if (endLanding) return
    const { path } = parseHash(location.hash)
    scrolls.set(current.key, scrollY)
    if (isTab(path)) scrolls.set(path, scrollY)
    if (scrolls.size > scrollsMax) scrolls.delete(scrolls.keys().next().value ?? '')
  }
  const moved = (): void => {
    const before = current.key
    current = isMark(history.state) ? history.state : mark(current.depth + 1)
    if (current.key === before) return
    land(scrolls.get(current.key) ?? scrolls.get(parseHash(location.hash).path) ?? 0)
  }
  addEventListener('hashchange', moved, { capture: true })
  addEventListener('scroll', remember, { passive: true })
  return () => {
    removeEventListener('hashchange', moved, { capture: true })
    removeEventListener('scroll', remember)
    endLanding?.()
  }
}

function mark(depth: number): Mark {
  marks += 1
  const made = { key: `${Date.now().toString(36)}-${marks}`, depth }
  history.replaceState(made, '')
  return made
}

/** Scrolls there as soon as the page is long enough, unless the member scrolls first or it takes too long. */
function land(target: number): void {
  endLanding?.()
  const aim = (): void => {
    scrollTo(0, target)
    if (Math.abs(scrollY - target) <= 1) endLanding?.()
  }
  const frame = requestAnimationFrame(aim)
  const grown = new ResizeObserver(aim)
  const timer = setTimeout(() => endLanding?.(), landingMs)
  const taken = (): void => endLanding?.()
  const gestures = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  endLanding = () => {
    cancelAnimationFrame(frame)
    grown.disconnect()
    clearTimeout(timer)
    for (const gesture of gestures) removeEventListener(gesture, taken)
    endLanding = undefined
  }
  for (const gesture of gestures) addEventListener(gesture, taken, { passive: true })
  if (target > 0) grown.observe(document.body)
}

/** Back to the page before, where it is one of ours; else to `fallback`. */
export function goBack(fallback: string): void {
  if (current.depth > 0) history.back()
  else navigate(fallback, { replace: true })
}
