import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/index.ts'
import { RecordsLink } from './RecordsLink.tsx'
import { useVerification } from '../../features/account/useVerification.ts'
import { useWithdrawalAccount } from '../../features/account/useWithdrawalAccount.ts'
import styles from './Wallet.module.css'
import { WithdrawForm } from './WithdrawForm.tsx'

/** Withdraws available money to the bound account. */
export function Withdraw() {
  const { t } = useTranslation()
  const format = useFormat()
  const { assets$, refresh } = useStreams()
  const assets = useLoadable(assets$)
  const bound = useWithdrawalAccount()
  const verification = useVerification()
  const loadedAssets = valueOf(assets)
  const status = valueOf(verification.loadable)?.status
  if (loadedAssets !== undefined && bound.account !== undefined && status !== undefined) {
    return (
      <WithdrawForm
        available={moneyOf(loadedAssets.available)}
        account={bound.account}
        rest={bound.rest}
        verification={status}
        onRejected={() => {
          refresh()
          bound.reload()
          verification.reload()
        }}
      />
    )
  }
  const failed = [assets, bound.loadable, verification.loadable].find(({ state }) => state === 'failed')
  const retry = () => {
    refresh()
    bound.reload()
    verification.reload()
  }
  return (
    <Page
      ground="market"
      title={t('title.withdraw')}
      backTo={paths.user}
      live="events"
      actions={<RecordsLink to={paths.withdrawals} />}
    >
      {failed?.state === 'failed' ? (
        <ErrorState title={t('withdraw.failed')} retryLabel={t('common.retry')} onRetry={retry}>
          {failureText(t, format, failed.failure)}
        </ErrorState>
      ) : (
        <output className={styles.form} aria-label={t('common.loading')}>
          <Skeleton line={28} width={180} />
          <Skeleton height={72} radius={8} />
          <Skeleton height={88} radius={8} />
          <Skeleton height={72} radius={8} />
        </output>
      )}
    </Page>
  )
}
