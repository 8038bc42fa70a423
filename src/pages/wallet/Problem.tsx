import { Icon } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** What is wrong with the whole, over the button that was pressed; spoken as it appears. */
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
