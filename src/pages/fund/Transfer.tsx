import { useTranslation } from 'react-i18next'
import { fundRoutes } from '../../../contract/fund.ts'
import type { FundRules } from '../../../contract/fund.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { paths } from '../../paths.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/index.ts'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import styles from './Transfer.module.css'
import { TransferIn } from './TransferIn.tsx'
import { TransferOut } from './TransferOut.tsx'
import { directionOf } from './transfer.ts'
import { useFund } from './useFund.ts'

const rulesSource: ResourceSource<FundRules> = {
  fetch: (call, signal) => call(fundRoutes.fundRules, {}, { signal }),
}

/** A transfer into or out of the fund: `#/pages/transfer/transfer?direction=in|out`; in by default. */
export function Transfer() {
  const { t } = useTranslation()
  const format = useFormat()
  const [query] = useQuery()
  const { assets$, refresh } = useStreams()
  const assets = useLoadable(assets$)
  const { loadable, reload } = useFund()
  const rules = useResource(rulesSource)
  const loaded = { fund: valueOf(loadable), rules: valueOf(rules.loadable), assets: valueOf(assets) }
  const direction = directionOf(query)
  if (loaded.fund && loaded.rules && loaded.assets) {
    const { fund, rules: loadedRules } = loaded
    return direction === 'in' ? (
      <TransferIn fund={fund} rules={loadedRules} available={loaded.assets.available} />
    ) : (
      <TransferOut fund={fund} rules={loadedRules} />
    )
  }
  const failed = [loadable, rules.loadable, assets].find(({ state }) => state === 'failed')
  return (
    <Page
      ground="market"
      title={t(direction === 'in' ? 'fund.transferIn' : 'fund.transferOut')}
      backTo={paths.fund}
      live="events"
    >
      {failed?.state === 'failed' ? (
        <ErrorState
          title={t('fund.failed')}
          retryLabel={t('common.retry')}
          onRetry={() => {
            reload()
            rules.reload()
            refresh()
          }}
        >
          {failureText(t, format, failed.failure)}
        </ErrorState>
      ) : (
        <>
          <PracticeDate />
          <div className={styles.form}>
            <Skeleton height={88} />
            <Skeleton height={220} radius={12} />
            <Skeleton height={108} />
          </div>
        </>
      )}
    </Page>
  )
}
