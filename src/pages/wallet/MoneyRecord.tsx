import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LedgerEntry, LedgerFilters } from '../../../contract/ledger.ts'
import { ledgerTypes, ledgerRoutes } from '../../../contract/ledger.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { DownloadButton } from '../../shell/DownloadButton.tsx'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, ListRow, Pill, PillSelect } from '../../ui/index.ts'
import { dateSpanOf, instantsOf } from '../../features/lists/dateSpan.ts'
import { DateSpanSelect } from '../../features/lists/DateSpanSelect.tsx'
import styles from '../../features/lists/FilterBar.module.css'
import { useToday } from '../../hooks/useDays.ts'
import { RecordList } from './RecordList.tsx'
import { RecordRow } from '../../features/lists/RecordRow.tsx'
import { StatementsSheet } from './StatementsSheet.tsx'
import { ledgerRow, refHref } from './walletLabels.ts'
import { ledgerQueryOf, ledgerSource } from './sources.ts'
import { useList } from '../../hooks/useList.ts'

/** The capital record: every ledger entry of the available balance, with the balance after it. */
export function MoneyRecord() {
  const { t } = useTranslation()
  const [query, setQuery] = useQuery()
  const zone = useVenueZone()
  const today = useToday()
  const type = ledgerTypes.find((ledgerType) => ledgerType === query.get('type'))
  const span = dateSpanOf(query)
  const filterDay = span === '' ? undefined : today
  const filters = useMemo((): LedgerFilters => {
    const { from, to } = instantsOf(span, filterDay, zone)
    return { type, from, to }
  }, [type, span, filterDay, zone])
  const clear = () => setQuery({ type: undefined, date: undefined })
  return (
    <Page
      ground="market"
      title={t('title.moneyRecord')}
      backTo={paths.user}
      live="events"
      refresh="bar"
      actions={
        <DownloadButton
          route={ledgerRoutes.ledgerCsv}
          query={ledgerQueryOf(filters)}
          name="ledger.csv"
          label={t('orders.csv')}
        />
      }
    >
      <fieldset className={styles.filters} aria-label={t('orders.filters')}>
        <Pill selected={type === undefined && span === ''} onClick={clear}>
          {t('common.all')}
        </Pill>
        <PillSelect
          label={t('records.type')}
          value={type ?? ''}
          onValue={(value) => setQuery({ type: value === '' ? undefined : value })}
          options={[
            { value: '', label: t('records.anyType') },
            ...ledgerTypes.map((value) => ({ value, label: t(`records.types.${value}`) })),
          ]}
        />
        <DateSpanSelect span={span} onSpan={(date) => setQuery({ date })} />
      </fieldset>
      <ListRow
        icon="receipt"
        label={t('statement.title')}
        onClick={() => setQuery({ sheet: 'statements' })}
      />
      <StatementsSheet
        open={query.get('sheet') === 'statements'}
        onClose={() => setQuery({ sheet: undefined })}
      />
      <LedgerEntries
        key={[type, span, filterDay].join(' ')}
        filters={filters}
        {...(type === undefined && span === '' ? {} : { onClear: clear })}
      />
    </Page>
  )
}

function LedgerEntries({ filters, onClear }: { filters: LedgerFilters; onClear?: () => void }) {
  const { t } = useTranslation()
  const list = useList(useMemo(() => ledgerSource(filters), [filters]))
  const products = useCatalog()
  const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
  return (
    <RecordList
      list={list}
      at={(entry) => entry.at}
      renderRow={(entry) => <LedgerEntryRow entry={entry} codeOf={codeOf} />}
      failedTitle={t('records.failed')}
      empty={
        onClear === undefined ? (
          <EmptyState
            icon="list-bullets"
            title={t('records.none')}
            action={
              <Button variant="secondary" href={hrefTo(paths.deposit)}>
                {t('title.deposit')}
              </Button>
            }
          >
            {t('records.noneText')}
          </EmptyState>
        ) : (
          <EmptyState
            icon="list-bullets"
            title={t('records.noneFiltered')}
            action={
              <Button variant="secondary" onClick={onClear}>
                {t('orders.clearFilters')}
              </Button>
            }
          />
        )
      }
    />
  )
}

function LedgerEntryRow({ entry, codeOf }: { entry: LedgerEntry; codeOf: (id: string) => string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { type, at, ref } = entry
  const { amount, below } = ledgerRow(t, format, entry)
  const title = t(`records.types.${type}`)
  const time = format.time(at)
  return (
    <RecordRow
      title={ref.productId === null ? title : `${title} · ${codeOf(ref.productId)}`}
      caption={ref.no === null ? time : `${time} · ${ref.no}`}
      amount={amount}
      below={below}
      href={refHref(ref)}
    />
  )
}
