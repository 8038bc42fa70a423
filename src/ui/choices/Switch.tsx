import styles from './Switch.module.css'

export type SwitchProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The accessible name; use the label of its row. */
  label: string
  /** It keeps the focus. */
  disabled?: boolean
}

/** A switch that takes effect at once. On is accent, because it is an action. */
export const Switch = ({ checked, onChange, label, disabled = false }: SwitchProps) => (
  <input
    type="checkbox"
    // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has `checked`
    role="switch"
    className={styles.switch}
    checked={checked}
    aria-disabled={disabled || undefined}
    aria-label={label}
    onChange={(event) => {
      if (!disabled) onChange(event.currentTarget.checked)
    }}
  />
)
