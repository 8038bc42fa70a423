import styles from './QuickAmounts.module.css'

export type QuickAmount = {
  /** "25%" */
  label: string
  /** The accessible name, if the label alone is not enough. */
  ariaLabel?: string
  onPick: () => void
  disabled?: boolean
}

/** Buttons that fill in a share of the balance: equal cells in one outline. */
export function QuickAmounts({ label, items }: { label: string; items: readonly QuickAmount[] }) {
  return (
    <fieldset className={styles.cells} aria-label={label}>
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          className={styles.cell}
          aria-label={item.ariaLabel}
          aria-disabled={item.disabled === true || undefined}
          onClick={() => {
            if (item.disabled !== true) item.onPick()
          }}
        >
          {item.label}
        </button>
      ))}
    </fieldset>
  )
}
