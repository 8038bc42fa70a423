import { cx } from './cx.ts'
import styles from './Steps.module.css'

/** The progress of a form with several pages, as bars; the page shows "Step 1 of 2" as text beside them. */
export function Steps({ done, of }: { done: number; of: number }) {
  return (
    <div className={styles.steps} aria-hidden="true">
      {Array.from({ length: of }, (_, index) => (
        <span key={index} className={cx(styles.step, index < done && styles.done)} />
      ))}
    </div>
  )
}
