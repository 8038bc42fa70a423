import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { Tabs } from '../../ui/index.ts'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import { Earnings } from './Earnings.tsx'
import styles from './FundDetails.module.css'
import { Lots } from './Lots.tsx'
import { lotFilterOf } from './lotFilter.ts'
import { Records } from './Records.tsx'
import { useFund } from './useFund.ts'
import { valueOf } from '../../hooks/useObservable.ts'

const tabs = ['records', 'earnings', 'lots'] as const
type Tab = (typeof tabs)[number]
const isTab = (text: string | null): text is Tab => tabs.some((tab) => tab === text)

/** The fund's history: `#/pages/Particulars/Particulars?tab=records|earnings|lots`, lots also with `status`. */
export function FundDetails() {
  const { t } = useTranslation()
  const [query, setQuery] = useQuery()
  const { loadable } = useFund()
  const requestedTab = query.get('tab')
  const tab = isTab(requestedTab) ? requestedTab : 'records'
  /** Each list reloads if the fund has changed. */
  const version = valueOf(loadable)?.version
  return (
    <Page receives="events" refresh="bar" ground="money" title={t('title.fundDetails')} backTo={paths.fund}>
      <Tabs
        label={t('fund.lists')}
        items={tabs.map((value) => ({ value, label: t(`fund.${value}`) }))}
        value={tab}
        onChange={(next) => setQuery({ tab: next, status: undefined })}
      >
        <PracticeDate />
        <div className={styles.stack}>
          {tab === 'records' && <Records version={version} />}
          {tab === 'earnings' && <Earnings version={version} />}
          {tab === 'lots' && (
            <Lots
              version={version}
              status={lotFilterOf(query.get('status'))}
              onStatus={(status) => setQuery({ status: status === 'all' ? undefined : status })}
            />
          )}
        </div>
      </Tabs>
    </Page>
  )
}
