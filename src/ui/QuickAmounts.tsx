import styles from './QuickAmounts.module.css'

export type QuickAmount = {
  /** "25%" */
  label: string
  /** What a screen reader hears when the label alone says too little. */
  ariaLabel?: string
  onPick: () => void
  disabled?: boolean
}

/** Shares of the balance that fill the amount: equal cells in one outline. */
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
