import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { statementRoutes, type StatementMonth } from '../../../contract/statements.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { deviceZone } from '../../hooks/useVenue.ts'
import { utcOffset } from '../../text/utcOffset.ts'
import { DownloadButton } from '../../shell/DownloadButton.tsx'
import { EmptyState, Select, Sheet, Skeleton } from '../../ui/index.ts'
import styles from './StatementsSheet.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** A statement's days are those of the member's own place, whatever zone the venue's days have. */
const zone = deviceZone()

const monthsSource: ResourceSource<StatementMonth[]> = {
  fetch: async (call, signal) => {
    const result = await call(statementRoutes.statements, { query: { zone } }, { signal })
    return result.ok ? { ...result, value: result.value.items } : result
  },
}

/** Chooses a month and saves its statement as CSV or PDF. */
export function StatementsSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onClose={onClose} title={t('statement.title')} closeLabel={t('common.close')}>
      <Months />
    </Sheet>
  )
}

function Months() {
  const { t } = useTranslation()
  const { loadable, reload } = useResource(monthsSource)
  return (
    <Loaded
      of={loadable}
      failed={t('statement.failed')}
      retry={reload}
      skeleton={
        <output className={styles.waiting} aria-label={t('common.loading')}>
          <Skeleton line={36} width={240} />
        </output>
      }
      empty={<EmptyState icon="receipt" title={t('statement.none')} />}
    >
      {(months) => <MonthFiles months={months} />}
    </Loaded>
  )
}

function MonthFiles({ months }: { months: readonly StatementMonth[] }) {
  const { t } = useTranslation()
  const lang = useLanguage()
  const dayFormat = useDayFormat()
  const [chosen, setChosen] = useState<string>()
  // Members usually want the newest completed month; a new member has only the current one.
  const month = chosen ?? (months.find(({ complete }) => complete) ?? months[0])?.month ?? ''
  const query = { month, zone, lang }
  return (
    <div className={styles.form}>
      <Select
        label={t('statement.month')}
        hint={t('common.timesIn', { zone: month === '' ? zone : utcOffset(zone, Date.parse(`${month}-01`)) })}
        value={month}
        onValue={setChosen}
        options={months.map(({ month: value, complete }) => {
          const name = dayFormat.monthHead(value)
          return { value, label: complete ? name : t('statement.soFar', { month: name }) }
        })}
      />
      <DownloadButton
        block
        type="application/pdf"
        route={statementRoutes.statementPdf}
        query={query}
        name={`statement-${month}.pdf`}
        label={t('statement.pdf')}
      />
      <DownloadButton
        block
        route={statementRoutes.statementCsv}
        query={query}
        name={`statement-${month}.csv`}
        label={t('statement.csv')}
      />
    </div>
  )
}
