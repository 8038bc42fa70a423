import { Switch as Base } from '@base-ui/react/switch'
import styles from './Switch.module.css'

export type SwitchProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The accessible name; use the label of its row. */
  label: string
  disabled?: boolean
}

/** A switch that takes effect at once. On is accent, because it is an action. */
export function Switch({ checked, onChange, label, disabled = false }: SwitchProps) {
  return (
    <Base.Root
      className={styles.switch}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-label={label}
    >
      <Base.Thumb className={styles.thumb} />
    </Base.Root>
  )
}
