import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ledgerTypes, ledgerRoutes, type LedgerEntry, type LedgerFilters } from '../../../contract/ledger.ts'
import { moneyOf } from '../../../contract/money.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
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
import listStyles from './RecordList.module.css'
import { RecordList, type RecordColumns } from './RecordList.tsx'
import { RecordRow } from '../../features/lists/RecordRow.tsx'
import { figureColumn, textColumn } from '../../features/lists/sorting.ts'
import { StatementsSheet } from './StatementsSheet.tsx'
import { ledgerAmount, ledgerRow, refHref } from './walletLabels.ts'
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
      width="wide"
      receives="events"
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
      <div className={listStyles.above}>
        <ListRow
          icon="receipt"
          label={t('statement.title')}
          onClick={() => setQuery({ sheet: 'statements' })}
        />
      </div>
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
  const language = useLanguage()
  const products = useCatalog()
  const titleOf = useCallback(
    ({ type, amount, ref: { productId } }: LedgerEntry): string => {
      // Nothing was paid: without a word the sum would read as an error.
      const isLost = type === 'payout' && moneyOf(amount) === 0
      const name = `${t(`records.types.${type}`)}${isLost ? ` · ${t('order.status.lost')}` : ''}`
      if (productId === null) return name
      return `${name} · ${products?.find(({ id }) => id === productId)?.code ?? productId}`
    },
    [t, products],
  )
  const columns = useMemo(
    (): RecordColumns<LedgerEntry> => ({
      title: { label: t('records.type'), sort: textColumn(language, titleOf) },
      no: { label: t('records.number') },
      time: { label: t('chart.time') },
      amount: { label: t('order.amount'), sort: figureColumn(ledgerAmount) },
    }),
    [t, language, titleOf],
  )
  return (
    <RecordList
      list={list}
      at={(entry) => entry.at}
      renderRow={(entry, dated) => <LedgerEntryRow {...{ entry, dated }} title={titleOf(entry)} />}
      columns={columns}
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

function LedgerEntryRow({ entry, title, dated }: { entry: LedgerEntry; title: string; dated: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { at, ref } = entry
  const { amount, below } = ledgerRow(t, format, entry)
  return (
    <RecordRow
      title={title}
      caption={dated ? format.dateTimeShort(at) : format.time(at)}
      no={ref.no}
      amount={amount}
      below={below}
      href={refHref(ref)}
    />
  )
}
