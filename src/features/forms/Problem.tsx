import { Icon } from '../../ui/index.ts'
import styles from './Problem.module.css'

/** An error of the whole form, above its button; announced to screen readers. */
export function Problem({ text }: { text: string | undefined }) {
  return (
    <div role="alert">
      {text !== undefined && (
        <p className={styles.problem}>
          <Icon name="warning-circle-fill" size={16} />
          <span>{text}</span>
        </p>
      )}
    </div>
  )
}
