import { useEffect, useState, useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { dismissToast, currentToasts, toastDurationMs, subscribeToasts } from './toastStore.ts'
import type { Toast } from './toastStore.ts'
import styles from './ToastRegion.module.css'

/**
 * Shows the toasts; mount it once. It is above the tab bar, or above the height a page sets in `--toast-over` (a
 * length, such as the ticket's height). `label` is the accessible name.
 */
export function ToastRegion({ label }: { label: string }) {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts)
  return (
    <section className={styles.region} aria-label={label} aria-live="polite" aria-relevant="additions">
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
