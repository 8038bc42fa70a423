import { Icon } from './Icon.tsx'
import styles from './QuickAmounts.module.css'
import type { SelectOption } from './Select.tsx'

export type QuickAmount = {
  /** "100" */
  label: string
  onPick: () => void
  disabled?: boolean
}

export type QuickAmountsProps = {
  label: string
  items: readonly QuickAmount[]
  /** A last cell that opens more of them in the browser's own menu. */
  menu?: {
    label: string
    options: readonly SelectOption[]
    onPick: (value: string) => void
    disabled: boolean
  }
}

/** Buttons that fill in an amount: equal cells in one outline. */
export function QuickAmounts({ label, items, menu }: QuickAmountsProps) {
  return (
    <fieldset className={styles.cells} aria-label={label}>
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          className={styles.cell}
          aria-disabled={item.disabled === true || undefined}
          onClick={() => {
            if (item.disabled !== true) item.onPick()
          }}
        >
          {item.label}
        </button>
      ))}
      {menu && (
        <span className={styles.menu}>
          <Icon name="caret-down" size={16} />
          <select
            className={styles.native}
            aria-label={menu.label}
            // What was picked is in the field: the menu itself has nothing selected.
            value=""
            disabled={menu.disabled}
            onChange={(event) => menu.onPick(event.currentTarget.value)}
          >
            <option value="" disabled hidden>
              {menu.label}
            </option>
            {menu.options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </span>
      )}
    </fieldset>
  )
}
