import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fundRoutes, type Fund } from '../../../contract/fund.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { failedText } from '../../api/failureText.ts'
import { noValue } from '../../text/format.ts'
import { useBusinessToday } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { Card, Stat, Segments, Skeleton, TextLink } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import styles from './RateCard.module.css'
import { RateCurve } from './RateCurve.tsx'

const ranges = { days7: 7, days30: 30, days90: 90 } as const
type Range = keyof typeof ranges
const rangeNames = ['days7', 'days30', 'days90'] as const

/** The rate of the past seven days and its history. */
export function RateCard({ fund, failed }: { fund: Fund | undefined; failed: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [range, setRange] = useState<Range>('days30')
  return (
    <Card padded>
      <div className={styles.labelLine}>
        <span className={styles.label}>{t('fund.rate7d')}</span>
        <PracticeBadge />
      </div>
      <div className={styles.head}>
        {fund || failed ? (
          <Stat size={28}>{fund ? format.percent(fund.rate7dBp) : noValue}</Stat>
        ) : (
          // As wide as most rates: wider, the line beside it would begin below it and move up.
          <Skeleton line={28} width={76} />
        )}
        <div className={styles.per10k}>
          <span className={styles.small}>{t('fund.per10k')}</span>
          <span key={`${fund === undefined}`} className={styles.per10kFigure}>
            {fund ? format.decimal(fund.per10k) : noValue}
          </span>
        </div>
      </div>
      <p className={styles.promise}>{t('fund.notPromise')}</p>
      <Curve days={ranges[range]} />
      <Segments
        block
        label={t('fund.range')}
        items={rangeNames.map((value) => ({ value, label: t(`fund.${value}`) }))}
        value={range}
        onChange={setRange}
      />
    </Card>
  )
}

const daysMax = '90'
const ratesSource: ResourceSource<RouteAnswer<typeof fundRoutes.fundRates>> = {
  fetch: (call, signal) =>
    call(fundRoutes.fundRates, { query: { days: daysMax, limit: daysMax } }, { signal }),
}

/** One request covers all ranges; a new business day reloads it. */
function Curve({ days }: { days: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const today = useBusinessToday()
  const { loadable, reload } = useResource(ratesSource)
  useReloadOn(today, reload)
  const rates = valueOf(loadable)?.items
  if (rates !== undefined && rates.length > 0) {
    return <RateCurve rates={rates.slice(0, days).reverse()} />
  }
  return (
    <div className={styles.blank}>
      {rates !== undefined && <p>{t('fund.noRates')}</p>}
      {loadable.state === 'failed' && (
        <p>
          {failedText(t, format, t('fund.ratesFailed'), loadable.failure)}{' '}
          <TextLink onClick={reload}>{t('common.retry')}</TextLink>
        </p>
      )}
      {loadable.state === 'loading' && <Skeleton height={84} />}
    </div>
  )
}
