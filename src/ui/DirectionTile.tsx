import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import styles from './DirectionTile.module.css'

/** The square at the start of an order's row. Set `label` if no text beside it names the direction. */
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
