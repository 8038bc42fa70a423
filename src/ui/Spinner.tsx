import { Icon } from './Icon.tsx'
import styles from './Spinner.module.css'

/** A turning notch for work under way; `label` says which when nothing beside it does. */
export function Spinner({ size = 20, label }: { size?: number; label?: string }) {
  return (
    <Icon
      name="circle-notch"
      size={size}
      className={styles.spinner}
      {...(label === undefined ? {} : { label })}
    />
  )
}
