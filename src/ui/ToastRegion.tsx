import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import {
  currentToasts,
  dismissToast,
  newestAction,
  runToastAction,
  subscribeToasts,
  toastDurationMs,
  toastPlace,
  type Toast,
} from './toastStore.ts'
import styles from './ToastRegion.module.css'
import { VisuallyHidden } from './VisuallyHidden.tsx'

const canBeAbove = typeof HTMLElement !== 'undefined' && 'showPopover' in HTMLElement.prototype

/**
 * Shows the toasts; mount it once. They are where they cover neither figures nor buttons, one after the other: in the free
 * part of the rail if the page gives a place for them, otherwise over that place; without one over the title of the page's
 * bar, or in the rail. Where the title has too little space for what a toast says, it is over the buttons of the bar too, not
 * over the figures below; on a page with none of these it is above the tab bar. `label` is the accessible name. A new toast
 * moves it above whatever fills the screen: what is open as a popover is above the page, and of several the one opened last.
 */
export function ToastRegion({ label }: { label: string }) {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts)
  const place = useSyncExternalStore(subscribeToasts, toastPlace, toastPlace)
  const region = useRef<HTMLElement>(null)
  const [hasSpace, setHasSpace] = useState(false)
  const spoken = toasts.filter(({ kind }) => kind === 'spoken')
  const shown = toasts.filter(({ kind }) => kind !== 'spoken')
  const first = shown[0]?.id
  const withKeys = newestAction(toasts)?.id
  useLayoutEffect(() => {
    const node = region.current
    if (node === null || first === undefined) return undefined
    const move = (): void => {
      const spaces = spacesOf(place)
      const found = spaces.find((space) => fits(node, space)) ?? spaces.at(-1)
      moveOver(node, found)
      setHasSpace(found !== undefined)
    }
    move()
    const observer = new ResizeObserver(move)
    if (place !== undefined) observer.observe(place)
    const uncovered = uncoveredOf(place)
    if (uncovered) observer.observe(uncovered)
    observer.observe(document.documentElement)
    // Also when a title bar comes or goes.
    const unsubscribe = subscribeToasts(move)
    return () => {
      unsubscribe()
      observer.disconnect()
    }
  }, [place, first])
  useEffect(() => {
    const node = region.current
    if (node === null || !canBeAbove) return
    const isCovered = document.querySelector(':popover-open:not([data-toasts])') !== null
    if (node.matches(':popover-open') && (toasts.length === 0 || isCovered)) node.hidePopover()
    if (toasts.length > 0 && !node.matches(':popover-open')) node.showPopover()
  }, [toasts])
  return (
    <section
      ref={region}
      className={styles.region}
      popover={canBeAbove ? 'manual' : undefined}
      data-toasts=""
      aria-label={label}
      aria-live="polite"
      aria-relevant="additions"
    >
      {(hasSpace ? shown.slice(0, 1).concat(spoken) : toasts).map((entry) => (
        <ToastCard key={entry.id} entry={entry} showsKeys={entry.id === withKeys} />
      ))}
    </section>
  )
}

type Box = { top: number; bottom: number; left: number; right: number }
type Space = { kind: 'page' | 'line' | 'bar' | 'rail'; box: Box }

/** The least that a toast needs, px; a lower place is one line of the page. */
const spaceMin = { width: 110, railHeight: 100, pageHeight: 48 }
/** Between a toast and what it must not cover, px. */
const gap = 12

/** Where toasts can be, the best first. */
function spacesOf(place: Element | undefined): Space[] {
  const { title, whole } = spacesOfBar()
  const rail = spaceOfRail()
  const spaces = place === undefined ? [title, rail, whole] : [rail, spaceOfPlace(place), title, whole]
  return spaces.filter((space) => space !== undefined)
}

/** Whether the toast is not higher than its space. Over a place of the page it grows over what may be covered. */
function fits(region: HTMLElement, space: Space): boolean {
  if (space.kind === 'page' || space.kind === 'line') return true
  moveOver(region, space)
  const { height = 0 } = region.querySelector(':scope > div')?.getBoundingClientRect() ?? {}
  return height <= space.box.bottom - space.box.top
}

const uncoveredOf = (place: Element | undefined): Element | null | undefined =>
  place?.querySelector('[data-uncovered]')

/** What is right of the part that stays in sight. */
function spaceOfPlace(place: Element): Space | undefined {
  const { top, bottom, left, right } = place.getBoundingClientRect()
  const uncovered = uncoveredOf(place)?.getBoundingClientRect()
  const box = { top, bottom, left: uncovered === undefined ? left : uncovered.right + gap, right }
  if (box.right - box.left < spaceMin.width) return undefined
  return { kind: bottom - top < spaceMin.pageHeight ? 'line' : 'page', box }
}

/** Over the title, up to the buttons, and over those at its end too. */
function spacesOfBar(): { title?: Space | undefined; whole?: Space | undefined } {
  const bar = document.querySelector('[data-title-bar]')
  const [first, last] = [bar?.firstElementChild, bar?.lastElementChild]
  if (!bar || !first || !last) return {}
  const { top, bottom, right } = bar.getBoundingClientRect()
  const isTitle = first.hasAttribute('data-titles')
  const left = isTitle
    ? first.getBoundingClientRect().left
    : (first.lastElementChild?.getBoundingClientRect().right ?? first.getBoundingClientRect().left)
  const spaceUpTo = (end: number): Space | undefined =>
    end - left < spaceMin.width ? undefined : { kind: 'bar', box: { top, bottom, left, right: end } }
  // Its sides are as wide as each other; only the buttons in them must stay free.
  return {
    title: spaceUpTo(
      last.firstElementChild?.getBoundingClientRect().left ?? last.getBoundingClientRect().right,
    ),
    whole: spaceUpTo(right),
  }
}

function spaceOfRail(): Space | undefined {
  const rail = document.querySelector('[data-rail-free]')?.getBoundingClientRect()
  const fits = rail && rail.width >= spaceMin.width && rail.height >= spaceMin.railHeight
  return fits ? { kind: 'rail', box: rail } : undefined
}

/** Sets properties of the region alone: those of the whole page would have each element styled again. */
function moveOver({ style, dataset }: HTMLElement, space: Space | undefined): void {
  if (space === undefined) {
    delete dataset['placed']
    return
  }
  dataset['placed'] = space.kind
  const { top, bottom, left, right } = space.box
  // What is scrolled away is as good as at the top of the screen.
  const below = Math.max(0, -top)
  style.setProperty('--place-top', `${top + below}px`)
  style.setProperty('--place-left', `${left}px`)
  style.setProperty('--place-width', `${right - left}px`)
  style.setProperty('--place-height', `${bottom - top}px`)
}

function ToastCard({ entry, showsKeys }: { entry: Toast; showsKeys: boolean }) {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (isPaused) return undefined
    const timer = setTimeout(() => dismissToast(entry.id), toastDurationMs(entry))
    return () => clearTimeout(timer)
  }, [entry, isPaused])
  if (entry.kind === 'spoken') return <VisuallyHidden>{entry.text}</VisuallyHidden>
  return (
    <div
      className={cx(styles.toast, styles[entry.kind])}
      // Not when it enters: a toast can appear under a pointer that does not move, and would then never close.
      onPointerMove={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      {entry.kind !== 'plain' && (
        <Icon name={entry.kind === 'success' ? 'check-circle-fill' : 'warning-circle-fill'} size={20} />
      )}
      <p className={styles.text}>
        {entry.text}
        {entry.link !== undefined && (
          <>
            {' '}
            <a className={styles.link} href={entry.link.href} onClick={() => dismissToast(entry.id)}>
              {entry.link.label}
            </a>
          </>
        )}
        {entry.action !== undefined && (
          <>
            {' '}
            <button type="button" className={styles.link} onClick={() => runToastAction(entry.id)}>
              {entry.action.label}{' '}
              {showsKeys && entry.action.keys !== undefined && (
                <kbd aria-hidden="true">{entry.action.keys.toUpperCase()}</kbd>
              )}
            </button>
          </>
        )}
      </p>
    </div>
  )
}
