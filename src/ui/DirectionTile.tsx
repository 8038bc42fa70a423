import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import styles from './DirectionTile.module.css'

/** The square that opens an order's row. `label` says the direction where no word beside it does. */
export function DirectionTile({ direction, label }: { direction: 'up' | 'down'; label?: string }) {
  return (
    <span className={cx(styles.tile, styles[direction])}>
      <Icon
        name={direction === 'up' ? 'arrow-up-bold' : 'arrow-down-bold'}
        size={18}
        {...(label === undefined ? {} : { label })}
      />
    </span>
  )
}
