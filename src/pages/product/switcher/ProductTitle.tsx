import { Icon } from '../../../ui/index.ts'
import styles from './ProductTitle.module.css'

/** The product's code; where no list is beside the chart, it opens the switcher. */
export const ProductTitle = ({ code, onOpen }: { code: string; onOpen: () => void }) => (
  <button type="button" className={styles.title} aria-haspopup="dialog" onClick={onOpen}>
    {code}
    <Icon name="caret-down-bold" size={14} />
  </button>
)
