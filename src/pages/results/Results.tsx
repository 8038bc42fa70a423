import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { resultRoutes, type OwnResults } from '../../../contract/results.ts'
import { dateSpanOf, instantsOf } from '../../features/lists/dateSpan.ts'
import { DateSpanSelect } from '../../features/lists/DateSpanSelect.tsx'
import { useToday } from '../../hooks/useDays.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, Card, EmptyState, Skeleton } from '../../ui/index.ts'
import { Groups } from './Groups.tsx'
import { ResultCalendar } from './ResultCalendar.tsx'
import { Total } from './Total.tsx'
import styles from './Results.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** The member's own results, added up by the venue: `#/pages/results/results?date=&by=&month=`. */
export function Results() {
  const { t } = useTranslation()
  const [query, setQuery] = useQuery()
  const span = dateSpanOf(query)
  return (
    <Page ground="money" title={t('title.results')} backTo={paths.orders} width="wide" refresh="bar">
      <div className={styles.page}>
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
  return (
    <Loaded
      of={loadable}
      failed={t('results.failed')}
      retry={reload}
      card
      skeleton={
        <Card padded>
          <Skeleton height={360} />
        </Card>
      }
    >
      {(results) =>
        results.total.orders === 0 ? (
          <NoResults filtered={span !== ''} onAll={() => setQuery({ date: undefined })} />
        ) : (
          <div className={styles.columns}>
            <div className={styles.total}>
              <Card padded>
                <Total results={results} />
              </Card>
            </div>
            <div className={styles.groups}>
              <Groups results={results} by={query.get('by')} onBy={(by) => setQuery({ by })} />
            </div>
            <div className={styles.days}>
              <ResultCalendar />
            </div>
          </div>
        )
      }
    </Loaded>
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
