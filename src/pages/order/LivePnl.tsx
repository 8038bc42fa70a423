import type { Order } from '../../../streams/index.ts'
import { noFigure } from '../../format.ts'
import styles from './LivePnl.module.css'
import { PnlColumn } from './PnlColumn.tsx'
import { useLiveFigure } from './useLiveFigure.ts'

/** "If it ended now", with what it means under it. */
export function LivePnl({ order }: { order: Order }) {
  const { figure, caption, first } = useLiveFigure(order)
  return (
    <PnlColumn ref={figure} tone="none" figure={noFigure}>
      <span ref={caption} className={styles.caption}>
        {first}
      </span>
    </PnlColumn>
  )
}
