import { useTranslation } from 'react-i18next'
import { fundRoutes, type FundRecord } from '../../../contract/fund.ts'
import { minusSign } from '../../text/formatNumber.ts'
import { useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'
import { Badge, Card } from '../../ui/index.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { RecordDays } from '../../features/lists/RecordDays.tsx'
import { RecordRow } from '../../features/lists/RecordRow.tsx'
import { PagedCard } from './PagedCard.tsx'
import styles from './Records.module.css'

const recordSource: ListSource<FundRecord> = {
  load: (call, after, signal) =>
    call(fundRoutes.fundRecords, { query: { limit: '30', ...after } }, { signal }),
}

/** Transfers and earnings, newest first, grouped by day. */
export function Records({ version }: { version: number | undefined }) {
  const { t } = useTranslation()
  const days = useDayFormat()
  const today = useBusinessToday()
  const pages = useList(recordSource)
  const { items, reload } = pages
  useReloadOn(version, reload)
  return (
    <PagedCard headed pages={pages} empty={{ title: t('fund.noRecords'), text: t('fund.noRecordsText') }}>
      <Card className={styles.card}>
        <RecordDays
          items={items}
          dayOf={({ madeOn }) => madeOn}
          headOf={(day) => (day === today ? t('orders.today') : days.long(day))}
          renderRow={(record) => <Row record={record} />}
        />
      </Card>
    </PagedCard>
  )
}

function Row({ record }: { record: FundRecord }) {
  const { t } = useTranslation()
  const money = useMaskedMoney()
  const { kind, mode, amount, status } = record
  const name = t(`fund.kind.${kind}`)
  return (
    <RecordRow
      reserveCaret={false}
      title={mode === null ? name : `${name} · ${t(`fund.mode.${mode}`)}`}
      caption={useWhen(record)}
      amount={kind === 'withdrawal' ? `${minusSign}${money(amount)}` : money(amount, 'always')}
      below={kind === 'earning' ? undefined : <Status status={status} />}
    />
  )
}

/** A transfer needs no review: one that is not done yet only waits for its day. */
function Status({ status }: Pick<FundRecord, 'status'>) {
  const { t } = useTranslation()
  const done = status === 'confirmed' || status === 'successful'
  return <Badge {...(done ? { kind: 'success' } : { icon: 'clock' })}>{t(`fund.status.${status}`)}</Badge>
}

/** When it was made, and the business day on which it takes effect; the line breaks only between the two. */
function useWhen({ at, kind, mode, onDay }: FundRecord): string {
  const { t } = useTranslation()
  const days = useDayFormat()
  const time = useFormat().timeShort(at)
  if (onDay === null || mode === 'fast') return time
  const until = t(`fund.until.${kind}`, { date: days.short(onDay) })
  return `${time} · ${until.replaceAll(' ', '\u00a0')}`
}
