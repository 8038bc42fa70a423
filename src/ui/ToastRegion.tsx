import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import {
  currentToasts,
  dismissToast,
  subscribeToasts,
  toastClearance,
  toastDurationMs,
} from './toastStore.ts'
import type { Toast } from './toastStore.ts'
import styles from './ToastRegion.module.css'

const canBeAbove = typeof HTMLElement !== 'undefined' && 'showPopover' in HTMLElement.prototype

/**
 * Shows the toasts; mount it once. It is above the tab bar, or above the height that a page sets, such as the ticket's: as
 * a property of its own node, because one of the whole page would have each element styled again. `label` is the accessible
 * name. A new toast moves it above whatever fills the screen: what is open as a popover is above the page, and of several
 * the one opened last.
 */
export function ToastRegion({ label }: { label: string }) {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts)
  const clearance = useSyncExternalStore(subscribeToasts, toastClearance, toastClearance)
  const region = useRef<HTMLElement>(null)
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
      style={clearance === undefined ? undefined : ({ '--toast-over': `${clearance}px` } as CSSProperties)}
      popover={canBeAbove ? 'manual' : undefined}
      data-toasts=""
      aria-label={label}
      aria-live="polite"
      aria-relevant="additions"
    >
      {toasts.map((entry) => (
        <ToastCard key={entry.id} entry={entry} />
      ))}
    </section>
  )
}

function ToastCard({ entry }: { entry: Toast }) {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (isPaused) return undefined
    const timer = setTimeout(() => dismissToast(entry.id), toastDurationMs(entry))
    return () => clearTimeout(timer)
  }, [entry, isPaused])
  return (
    <div
      className={cx(styles.toast, styles[entry.kind])}
      onPointerEnter={() => setPaused(true)}
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
      </p>
    </div>
  )
}
