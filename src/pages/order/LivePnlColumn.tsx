import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../format.ts'
import styles from './LivePnlColumn.module.css'
import { PnlColumn } from './PnlColumn.tsx'
import { useLivePnlRefs } from './useLivePnlRefs.ts'

/** "If it ended now", with what it means under it. */
export function LivePnlColumn({ order }: { order: Order }) {
  const { figure, caption, initialCaption } = useLivePnlRefs(order)
  return (
    <PnlColumn ref={figure} tone="none" value={noValue}>
      <span ref={caption} className={styles.caption}>
        {initialCaption}
      </span>
    </PnlColumn>
  )
}
