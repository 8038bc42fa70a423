import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { resultRoutes, sharesMinOrders } from '../../../contract/results.ts'
import type { OwnResults } from '../../../contract/results.ts'
import { failureText } from '../../api/failureText.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { dateSpanOf, instantsOf } from '../../features/lists/dateSpan.ts'
import { DateSpanSelect } from '../../features/lists/DateSpanSelect.tsx'
import { useToday } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, Card, EmptyState, ErrorState, Skeleton } from '../../ui/index.ts'
import { Groups } from './Groups.tsx'
import { ResultCalendar } from './ResultCalendar.tsx'
import { Total } from './Total.tsx'
import styles from './Results.module.css'

/** The member's own results, added up by the venue: `#/pages/results/results?date=&by=&month=`. */
export function Results() {
  const { t } = useTranslation()
  const [query, setQuery] = useQuery()
  const span = dateSpanOf(query)
  return (
    <Page ground="money" title={t('title.results')} backTo={paths.orders} width="wide" refresh="bar">
      <div className={styles.page}>
        <p className={styles.lead}>
          {t('results.lead')} <PracticeBadge />
        </p>
        <div className={styles.span}>
          <DateSpanSelect span={span} onSpan={(date) => setQuery({ date })} />
        </div>
        <SpanResults />
      </div>
    </Page>
  )
}

function SpanResults() {
  const { t } = useTranslation()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const span = dateSpanOf(query)
  const today = useToday()
  const zone = useVenueZone()
  const spanDay = span === '' ? undefined : today
  const source = useMemo((): ResourceSource<OwnResults> => {
    const { from, to } = instantsOf(span, spanDay, zone)
    const period = {
      ...(from === undefined ? {} : { from: String(from) }),
      ...(to === undefined ? {} : { to: String(to) }),
    }
    return { fetch: (call, signal) => call(resultRoutes.results, { query: period }, { signal }) }
  }, [span, spanDay, zone])
  const { loadable, reload } = useResource(source)
  const results = valueOf(loadable)
  if (results === undefined) {
    if (loadable.state !== 'failed')
      return (
        <Card padded>
          <Skeleton height={240} />
        </Card>
      )
    return (
      <Card>
        <ErrorState title={t('results.failed')} retryLabel={t('common.retry')} onRetry={reload}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      </Card>
    )
  }
  if (results.total.orders === 0)
    return <NoResults filtered={span !== ''} onAll={() => setQuery({ date: undefined })} />
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <Card padded>
          <Total total={results.total} />
        </Card>
        <ResultCalendar />
      </div>
      <div className={styles.stack}>
        <Groups results={results} by={query.get('by')} onBy={(by) => setQuery({ by })} />
        <p className={styles.note}>{t('results.method', { orders: sharesMinOrders })}</p>
      </div>
    </div>
  )
}

function NoResults({ filtered, onAll }: { filtered: boolean; onAll: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="chart-bar"
      title={t(filtered ? 'orders.noneFiltered' : 'orders.none.closed')}
      action={
        filtered ? (
          <Button variant="secondary" onClick={onAll}>
            {t('orders.clearFilters')}
          </Button>
        ) : (
          <Button variant="secondary" href={hrefTo(paths.products)}>
            {t('orders.seeProducts')}
          </Button>
        )
      }
    >
      {t(filtered ? 'orders.noneFilteredText' : 'orders.noneText.closed')}
    </EmptyState>
  )
}
