import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'
import styles from './TradeButton.module.css'

export type TradeButtonProps = {
  direction: 'up' | 'down'
  label: ReactNode
  /** The second line: the win, or why the button is disabled ("Paused"). */
  note: ReactNode
  busy?: boolean
  disabled?: boolean
  /** Id of the text that explains why it is disabled. */
  describedBy?: string | undefined
  /** The keyboard shortcut, announced by screen readers. */
  shortcut?: string | undefined
  onClick?: () => void
}

/** One of the two order buttons; both share a row with equal weight and a gap of 8. */
export function TradeButton(props: TradeButtonProps) {
  const { direction, disabled = false, busy = false } = props
  return (
    <button
      type="button"
      className={cx(styles.button, styles[direction], disabled && styles.off)}
      aria-disabled={disabled || busy || undefined}
      aria-busy={busy || undefined}
      aria-describedby={props.describedBy}
      aria-keyshortcuts={props.shortcut}
      onClick={({ detail }) => {
        // The second click of a double click means the same order, although the first may have its answer.
        if (!disabled && !busy && detail < 2) props.onClick?.()
      }}
    >
      {busy ? (
        <Spinner size={24} />
      ) : (
        <Icon name={direction === 'up' ? 'arrow-up-bold' : 'arrow-down-bold'} size={24} />
      )}
      <span className={styles.text}>
        <span className={styles.label}>{props.label}</span>
        <span className={styles.note}>{props.note}</span>
      </span>
    </button>
  )
}
