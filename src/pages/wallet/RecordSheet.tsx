import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { Stat, KeyValues, Sheet, type KeyValue } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import styles from './RecordSheet.module.css'
import { StatusBadge } from './StatusBadge.tsx'
import { Timeline, type TimelineNode } from '../../features/transfers/Timeline.tsx'

export type RecordSheetProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Signed and formatted. */
  amount: string
  status: ReviewStatus
  reason: string | null
  nodes: readonly TimelineNode[]
  facts: readonly KeyValue[]
  footer?: ReactNode
}

/** One deposit or withdrawal with all its steps. */
export function RecordSheet(props: RecordSheetProps) {
  const { t } = useTranslation()
  const currency = useVenueConfig()?.currency
  const { open, onClose, title, amount, status, reason, nodes, facts, footer } = props
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={t('common.close')}
      {...(footer === undefined ? {} : { footer })}
    >
      <div className={styles.top}>
        <span className={styles.badges}>
          <StatusBadge status={status} reason={reason} />
          <PracticeBadge />
        </span>
        <Stat size={28} unit={currency}>
          {amount}
        </Stat>
      </div>
      <Timeline nodes={nodes} />
      <div className={styles.facts}>
        <KeyValues items={facts} />
      </div>
    </Sheet>
  )
}
