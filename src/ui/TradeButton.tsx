import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'
import styles from './TradeButton.module.css'

export type TradeButtonProps = {
  direction: 'up' | 'down'
  label: ReactNode
  /** The second line: what a win pays, or why the button is off ("Paused"). */
  note: ReactNode
  busy?: boolean
  disabled?: boolean
  /** Id of the words that say at length why it is off. */
  describedBy?: string | undefined
  /** The single key that does the same, told to screen readers. */
  shortcut?: string | undefined
  onClick?: () => void
}

/** One of the two order buttons; two of equal weight share a row with a gap of 8. */
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
      onClick={() => {
        if (!disabled && !busy) props.onClick?.()
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
