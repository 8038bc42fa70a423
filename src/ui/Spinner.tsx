import { Icon } from './Icon.tsx'
import styles from './Spinner.module.css'

/** A loading spinner; set `label` if no text beside it names what is loading. */
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
