import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { fundRoutes } from '../../../contract/fund.ts'
import type { FundRecord } from '../../../contract/fund.ts'
import { businessDay } from '../../../contract/time.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { call } from '../../api/venue.ts'
import { minusSign } from '../../format.ts'
import type { Format } from '../../format.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { usePages } from '../../hooks/usePages.ts'
import type { LoadPage } from '../../hooks/usePages.ts'
import { useZone } from '../../hooks/useZone.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Badge, Button, Card, EmptyState, Icon } from '../../ui/index.ts'
import type { BadgeKind } from '../../ui/index.ts'
import { PagedCard } from './PagedCard.tsx'
import styles from './Records.module.css'

const pageSize = '30'

/** Transfers and earnings, newest first, under the days they were made on. */
export function Records({ version }: { version: number | undefined }) {
  const { t } = useTranslation()
  const zone = useZone()
  const days = useDayFormat()
  const load = useCallback<LoadPage<FundRecord>>(
    (cursor, signal) =>
      call(
        fundRoutes.fundRecords,
        { query: { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) } },
        { signal },
      ),
    [],
  )
  const { items, cursor, loading, failure, more, retry, reload } = usePages(load)
  useReloadOn(version, reload)
  const groups = byDay(items, (at) => businessDay(at, zone))
  return (
    <PagedCard
      count={items.length}
      cursor={cursor}
      loading={loading}
      failure={failure}
      onMore={more}
      onRetry={retry}
      empty={
        <EmptyState
          title={t('fund.noRecords')}
          action={
            <Button variant="secondary" href={hrefTo(paths.transfer, { direction: 'in' })}>
              {t('fund.transferIn')}
            </Button>
          }
        >
          {t('fund.noRecordsText')}
        </EmptyState>
      }
    >
      {groups.map(({ day, records }) => (
        <section key={day}>
          <h2 className={styles.day}>{days.long(day)}</h2>
          <Card>
            <ul>
              {records.map((record) => (
                <li key={record.id} className={styles.row}>
                  <Row record={record} />
                </li>
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </PagedCard>
  )
}

const icons = { deposit: 'arrow-down-left', withdrawal: 'arrow-up-right', earning: 'plus' } as const
const badges: Record<FundRecord['status'], BadgeKind> = {
  pending_review: 'warn',
  under_review: 'warn',
  confirmed: 'success',
  successful: 'success',
}

function Row({ record }: { record: FundRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, mode, amount } = record
  return (
    <>
      <Icon name={icons[kind]} size={22} className={styles.icon} />
      <span className={styles.text}>
        <span>
          {t(`fund.kind.${kind}`)}
          {mode !== null && ` · ${t(`fund.mode.${mode}`)}`}
        </span>
        <span className={styles.when}>{useWhen(t, format, record)}</span>
      </span>
      <span className={styles.end}>
        <span className={styles.amount}>
          {kind === 'withdrawal' ? `${minusSign}${format.money(amount)}` : format.money(amount, 'always')}
        </span>
        {kind !== 'earning' && (
          <Badge kind={badges[record.status]}>{t(`fund.status.${record.status}`)}</Badge>
        )}
      </span>
    </>
  )
}

/** When it was made, and the business day that it leads to. */
function useWhen(t: TFunction, format: Format, { at, kind, mode, onDay }: FundRecord): string {
  const days = useDayFormat()
  const time = format.timeShort(at)
  if (onDay === null || mode === 'fast') return time
  return `${time} · ${t(`fund.until.${kind}`, { date: days.short(onDay) })}`
}

/** Records under the day they were made on; they come newest first. */
function byDay(records: readonly FundRecord[], dayOf: (at: number) => BusinessDay) {
  const groups: { day: BusinessDay; records: FundRecord[] }[] = []
  for (const record of records) {
    const day = dayOf(record.at)
    const open = groups.at(-1)
    if (open?.day === day) open.records.push(record)
    else groups.push({ day, records: [record] })
  }
  return groups
}
