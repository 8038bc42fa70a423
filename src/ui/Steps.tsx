import { cx } from './cx.ts'
import styles from './Steps.module.css'

/** How far a form of several pages has come, as bars; the page says "Step 1 of 2" in words beside them. */
export function Steps({ done, of }: { done: number; of: number }) {
  return (
    <div className={styles.steps} aria-hidden="true">
      {Array.from({ length: of }, (_, index) => (
        <span key={index} className={cx(styles.step, index < done && styles.done)} />
      ))}
    </div>
  )
}
