import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import styles from './LivePnlColumn.module.css'
import { PnlColumn } from './PnlColumn.tsx'
import { useLivePnlRefs } from './useLivePnlRefs.ts'

/** The P&L if the order ended now, with its caption. */
export function LivePnlColumn({ order }: { order: Order }) {
  const { pnlRef, caption, initialCaption } = useLivePnlRefs(order)
  return (
    <PnlColumn ref={pnlRef} tone="none" value={noValue}>
      <span ref={caption} className={styles.caption}>
        {initialCaption}
      </span>
    </PnlColumn>
  )
}
