/**
 * Scroll restoration and "back". Each history entry is marked with a key and its depth, so that "back" can tell whether
 * the previous entry is a page of the app, and its scroll position is restored.
 */
import { navigate, parseHash } from './hashLocation.ts'
import { atPageEntry, startSheetEntries } from './sheetEntries.ts'

type HistoryMark = { key: string; depth: number }

/** More positions than a member is likely to go back through. */
const scrollPositionsMax = 200
/** How long a page may take to become long enough to restore its scroll position. */
const restoreTimeoutMs = 3000

const scrollPositions = new Map<string, number>()
let current: HistoryMark = { key: 'start', depth: 0 }
let marks = 0
/** Ends the current restoration; meanwhile, scroll events do not come from the member. */
let endRestore: (() => void) | undefined

const isMark = (state: unknown): state is HistoryMark =>
  typeof state === 'object' && state !== null && 'key' in state && 'depth' in state

/**
 * Starts scroll restoration. `isTab` says which paths are tabs: their position is also restored when they are reached
 * by their tab instead of by going back.
 */
export function startScrollRestoration(isTab: (path: string) => boolean): () => void {
  history.scrollRestoration = 'manual'
  startSheetEntries()
  current = isMark(history.state) ? history.state : markEntry(0)
  const savePosition = (): void => {
    if (endRestore) return
    const { path } = parseHash(location.hash)
    scrollPositions.set(current.key, scrollY)
    if (isTab(path)) scrollPositions.set(path, scrollY)
    if (scrollPositions.size > scrollPositionsMax)
      scrollPositions.delete(scrollPositions.keys().next().value ?? '')
  }
  const onNavigate = (): void => {
    const before = current.key
    current = isMark(history.state) ? history.state : markEntry(current.depth + 1)
    if (current.key === before) return
    restoreScroll(scrollPositions.get(current.key) ?? scrollPositions.get(parseHash(location.hash).path) ?? 0)
  }
  addEventListener('hashchange', onNavigate, { capture: true })
  addEventListener('scroll', savePosition, { passive: true })
  return () => {
    removeEventListener('hashchange', onNavigate, { capture: true })
    removeEventListener('scroll', savePosition)
    endRestore?.()
  }
}

function markEntry(depth: number): HistoryMark {
  marks += 1
  const entry = { key: `${Date.now().toString(36)}-${marks}`, depth }
  history.replaceState(entry, '')
  return entry
}

/** Scrolls to `target` as soon as the page is long enough, unless the member scrolls first or it takes too long. */
function restoreScroll(target: number): void {
  endRestore?.()
  const tryScroll = (): void => {
    scrollTo(0, target)
    if (Math.abs(scrollY - target) <= 1) endRestore?.()
  }
  const animationFrame = requestAnimationFrame(tryScroll)
  const resizeObserver = new ResizeObserver(tryScroll)
  const timer = setTimeout(() => endRestore?.(), restoreTimeoutMs)
  const onGesture = (): void => endRestore?.()
  const gestures = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  endRestore = () => {
    cancelAnimationFrame(animationFrame)
    resizeObserver.disconnect()
    clearTimeout(timer)
    for (const gesture of gestures) removeEventListener(gesture, onGesture)
    endRestore = undefined
  }
  for (const gesture of gestures) addEventListener(gesture, onGesture, { passive: true })
  if (target > 0) resizeObserver.observe(document.body)
}

/** Goes back to the previous page if it belongs to the app, else to `fallback`. */
export function goBack(fallback: string): void {
  if (current.depth > 0) atPageEntry(() => history.back())
  else navigate(fallback, { replace: true })
}
