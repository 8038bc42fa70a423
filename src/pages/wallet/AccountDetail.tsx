import { useTranslation } from 'react-i18next'
import type { WithdrawalAccount } from '../../../contract/wallet.ts'
import { countriesIn } from '../../countries.ts'
import { failureText } from '../../api/failureText.ts'
import { localeOf } from '../../format.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { ErrorState, Field, Skeleton } from '../../ui/index.ts'
import { BindForm } from './BindForm.tsx'
import { ServiceNote } from './ServiceNote.tsx'
import { useWithdrawalAccount } from './useWithdrawalAccount.ts'
import styles from './Wallet.module.css'
import { maskText } from './words.ts'

/** The withdrawal account field by field: to be filled in once, and read ever after. */
export function AccountDetail() {
  const { t } = useTranslation()
  const format = useFormat()
  const { account, loadable, reload } = useWithdrawalAccount()
  if (account === null) return <BindForm onSettled={reload} />
  return (
    <Page ground="market" title={t('title.withdrawalAccountDetail')} backTo={paths.account} live="events">
      {account !== undefined ? (
        <Bound account={account} />
      ) : loadable.state === 'failed' ? (
        <ErrorState title={t('account.failed')} retryLabel={t('common.retry')} onRetry={reload}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      ) : (
        <output className={styles.form} aria-label={t('common.loading')}>
          {['type', 'name', 'nationality', 'bank', 'number'].map((field) => (
            <Skeleton key={field} height={72} radius={8} />
          ))}
        </output>
      )}
    </Page>
  )
}

function Bound({ account }: { account: WithdrawalAccount }) {
  const { t } = useTranslation()
  const format = useFormat()
  const countries = countriesIn(localeOf(useLanguage()))
  const country = countries.find(({ value }) => value === account.nationality)?.label ?? account.nationality
  const { bank, cardNumber, accountAddress, currency, currencyAddress } = account
  const fields = [
    { label: t('account.type'), value: t(`account.types.${account.type}`) },
    { label: t('account.accountName'), value: account.accountName },
    { label: t('account.nationality'), value: country },
    { label: t('account.bank'), value: bank },
    { label: t('account.cardNumber'), value: cardNumber && maskText(cardNumber) },
    { label: t('account.accountAddress'), value: accountAddress && maskText(accountAddress) },
    { label: t('account.currency'), value: currency },
    { label: t('account.currencyAddress'), value: currencyAddress && maskText(currencyAddress) },
    { label: t('account.boundAt'), value: format.dateTimeShort(account.boundAt) },
  ]
  return (
    <div className={styles.form}>
      <ServiceNote />
      {fields.map(
        ({ label, value }) => value !== undefined && <Field key={label} label={label} value={value} locked />,
      )}
    </div>
  )
}
