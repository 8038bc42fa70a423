import { Switch as Base } from '@base-ui/react/switch'
import styles from './Switch.module.css'

export type SwitchProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  /** Names it; use the words of its row. */
  label: string
  disabled?: boolean
}

/** On or off, at once. It acts, so on is accent. */
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
