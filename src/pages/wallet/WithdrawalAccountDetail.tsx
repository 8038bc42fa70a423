import { useTranslation } from 'react-i18next'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { useCountryName } from '../../hooks/useCountries.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { useSession } from '../../state/session.ts'
import { Card, Skeleton } from '../../ui/index.ts'
import { BindForm } from './BindForm.tsx'
import { FactRows } from './FactRows.tsx'
import { ServiceNote } from './ServiceNote.tsx'
import { useWithdrawalAccount } from '../../features/account/useWithdrawalAccount.ts'
import styles from './Wallet.module.css'
import { maskText } from './walletLabels.ts'
import { Loaded } from '../../shell/Loaded.tsx'

/** The withdrawal account in full: a form until it is bound, read-only afterwards. */
export function WithdrawalAccountDetail() {
  const { t } = useTranslation()
  const { account, loadable, reload } = useWithdrawalAccount()
  const { userInfo } = useSession()
  if (account === null) return <BindForm onFinished={reload} />
  // Predicted from the stored session: the form has another ground and title.
  const isUnbound = account === undefined && userInfo?.hasWithdrawalAccount === false
  return (
    <Page
      ground={isUnbound ? 'market' : 'money'}
      title={isUnbound ? t('account.bind') : t('title.withdrawalAccountDetail')}
      backTo={paths.account}
      receives="events"
    >
      <Loaded
        of={loadable}
        failed={t('account.failed')}
        retry={reload}
        skeleton={
          <output className={styles.stack} aria-label={t('common.loading')}>
            <Skeleton height={364} radius={12} />
          </output>
        }
      >
        {() => account && <BoundAccount account={account} />}
      </Loaded>
    </Page>
  )
}

function BoundAccount({ account }: { account: WithdrawalAccount }) {
  const { t } = useTranslation()
  const format = useFormat()
  const countryName = useCountryName()
  const { bank, cardNumber, accountAddress, currency, currencyAddress, memo } = account
  const facts = [
    { key: 'type', label: t('account.type'), value: t(`account.types.${account.type}`) },
    { key: 'name', label: t('account.accountName'), value: account.accountName },
    { key: 'nationality', label: t('account.nationality'), value: countryName(account.nationality) },
    { key: 'bank', label: t('account.bank'), value: bank },
    { key: 'card', label: t('account.cardNumber'), value: cardNumber && maskText(cardNumber) },
    { key: 'branch', label: t('account.accountAddress'), value: accountAddress && maskText(accountAddress) },
    { key: 'currency', label: t('account.currency'), value: currency },
    {
      key: 'address',
      label: t('account.currencyAddress'),
      value: currencyAddress && maskText(currencyAddress),
    },
    { key: 'memo', label: t('account.memo'), value: memo && maskText(memo) },
    { key: 'bound', label: t('account.boundAt'), value: format.dateTimeShort(account.boundAt) },
  ]
  return (
    <div className={styles.stack}>
      <Card>
        <FactRows items={facts.filter(({ value }) => value !== undefined)} />
      </Card>
      <ServiceNote lock />
    </div>
  )
}
