import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { VisuallyHidden } from '../../ui/index.ts'
import styles from './LivePnlColumn.module.css'
import { PnlColumn } from './PnlColumn.tsx'
import { useLivePnlRefs } from './useLivePnlRefs.ts'

export type LivePnlColumnProps = {
  order: Order
  /** In one line: its caption is shown only in place of a P&L that is not known. */
  slim?: boolean
}

/** The P&L if the order ended now, with its caption. */
export function LivePnlColumn({ order, slim = false }: LivePnlColumnProps) {
  const { pnlRef, caption, initialCaption } = useLivePnlRefs(order, slim)
  if (slim)
    return (
      <PnlColumn ref={pnlRef} tone="none" value={order.entry === null ? initialCaption : noValue}>
        <VisuallyHidden>
          <span ref={caption}>{initialCaption}</span>
        </VisuallyHidden>
      </PnlColumn>
    )
  return (
    <PnlColumn ref={pnlRef} tone="none" value={noValue}>
      <span ref={caption} className={styles.caption}>
        {initialCaption}
      </span>
    </PnlColumn>
  )
}
