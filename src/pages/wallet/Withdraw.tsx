import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { withdrawableOf } from '../../../contract/withdrawable.ts'
import { allOf, useLoadable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Skeleton } from '../../ui/index.ts'
import { RecordsLink } from './RecordsLink.tsx'
import { useVerification } from '../../features/account/useVerification.ts'
import { useWithdrawalAccount } from '../../features/account/useWithdrawalAccount.ts'
import styles from './Wallet.module.css'
import { WithdrawForm } from './WithdrawForm.tsx'
import { Loaded } from '../../shell/Loaded.tsx'

/** Withdraws available money to the bound account, except what waits for a second person of the venue. */
export function Withdraw() {
  const { t } = useTranslation()
  const { assets$, refresh } = useStreams()
  const assets = useLoadable(assets$)
  const bound = useWithdrawalAccount()
  const verification = useVerification()
  const all = allOf(assets, bound.loadable, verification.loadable)
  const retry = () => {
    refresh()
    bound.reload()
    verification.reload()
  }
  if (all.state === 'ready') {
    const [loadedAssets, { account }, { status }] = all.value
    return (
      <WithdrawForm
        balance={moneyOf(loadedAssets.available)}
        available={withdrawableOf(loadedAssets, bound.awaiting)}
        account={account}
        rest={bound.rest}
        verification={status}
        onRejected={retry}
      />
    )
  }
  return (
    <Page
      ground="market"
      title={t('title.withdraw')}
      backTo={paths.user}
      receives="events"
      actions={<RecordsLink to={paths.withdrawals} />}
    >
      <Loaded
        of={all}
        failed={t('withdraw.failed')}
        retry={retry}
        skeleton={
          <output className={styles.form} aria-label={t('common.loading')}>
            <Skeleton line={28} width={180} />
            <Skeleton height={72} radius={8} />
            <Skeleton height={88} radius={8} />
            <Skeleton height={72} radius={8} />
          </output>
        }
      />
    </Page>
  )
}
