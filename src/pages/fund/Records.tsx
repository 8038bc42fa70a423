import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { fundRoutes } from '../../../contract/fund.ts'
import type { FundRecord } from '../../../contract/fund.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { call } from '../../api/venue.ts'
import { minusSign } from '../../format.ts'
import type { Format } from '../../format.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { usePages } from '../../hooks/usePages.ts'
import type { LoadPage } from '../../hooks/usePages.ts'
import { Badge, Card, Icon } from '../../ui/index.ts'
import type { BadgeKind } from '../../ui/index.ts'
import { useOwnMoney } from '../money/useOwnMoney.ts'
import { PagedCard } from './PagedCard.tsx'
import styles from './Records.module.css'

const pageSize = '30'

/** Transfers and earnings, newest first, under the days they were made on. */
export function Records({ version }: { version: number | undefined }) {
  const { t } = useTranslation()
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
  const pages = usePages(load)
  const { items, reload } = pages
  useReloadOn(version, reload)
  const groups = byDay(items)
  return (
    <PagedCard pages={pages} empty={{ title: t('fund.noRecords'), text: t('fund.noRecordsText') }}>
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
  const money = useOwnMoney()
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
          {kind === 'withdrawal' ? `${minusSign}${money(amount)}` : money(amount, 'always')}
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
function byDay(records: readonly FundRecord[]) {
  const groups: { day: BusinessDay; records: FundRecord[] }[] = []
  for (const record of records) {
    const day = record.madeOn
    const open = groups.at(-1)
    if (open?.day === day) open.records.push(record)
    else groups.push({ day, records: [record] })
  }
  return groups
}
