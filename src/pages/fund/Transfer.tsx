import { useTranslation } from 'react-i18next'
import { fundRoutes, type FundRules } from '../../../contract/fund.ts'
import { allOf, useLoadable } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { paths } from '../../paths.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { Skeleton } from '../../ui/index.ts'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import styles from './Transfer.module.css'
import { TransferIn } from './TransferIn.tsx'
import { TransferOut } from './TransferOut.tsx'
import { directionOf } from './transfer.ts'
import { useFund } from './useFund.ts'
import { Loaded } from '../../shell/Loaded.tsx'

const rulesSource: ResourceSource<FundRules> = {
  fetch: (call, signal) => call(fundRoutes.fundRules, {}, { signal }),
}

/** A transfer into or out of the fund: `#/pages/transfer/transfer?direction=in|out`; in by default. */
export function Transfer() {
  const { t } = useTranslation()
  const [query] = useQuery()
  const { assets$, refresh } = useStreams()
  const assets = useLoadable(assets$)
  const { loadable, reload } = useFund()
  const rules = useResource(rulesSource)
  const all = allOf(loadable, rules.loadable, assets)
  const direction = directionOf(query)
  if (all.state === 'ready') {
    const [fund, loadedRules, { available }] = all.value
    return direction === 'in' ? (
      <TransferIn fund={fund} rules={loadedRules} available={available} />
    ) : (
      <TransferOut fund={fund} rules={loadedRules} />
    )
  }
  return (
    <Page
      ground="market"
      title={t(direction === 'in' ? 'fund.transferIn' : 'fund.transferOut')}
      backTo={paths.fund}
      receives="events"
    >
      <Loaded
        of={all}
        failed={t('fund.failed')}
        retry={() => {
          reload()
          rules.reload()
          refresh()
        }}
        skeleton={
          <>
            <PracticeDate />
            <div className={styles.form}>
              <Skeleton height={88} />
              <Skeleton height={220} radius={12} />
              <Skeleton height={108} />
            </div>
          </>
        }
      />
    </Page>
  )
}
