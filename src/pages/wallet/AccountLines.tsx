import { useTranslation } from 'react-i18next'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import styles from './AccountLines.module.css'
import { accountNumber, accountTitle, maskText } from './walletLabels.ts'

/** An account as a value beside its label: its title and number. */
export function AccountLines({ account }: { account: WithdrawalAccount }) {
  return (
    <>
      {accountTitle(account)}
      <span className={styles.more}>
        <AccountCaption account={account} />
      </span>
    </>
  )
}

/** The account's number and memo, and below them the holder's name. */
export function AccountCaption({ account }: { account: WithdrawalAccount }) {
  const { t } = useTranslation()
  const { memo } = account
  return (
    <>
      {accountNumber(account)}
      {memo !== undefined && (
        <>
          <br />
          {t('account.memo')} {maskText(memo)}
        </>
      )}
      <br />
      {account.accountName}
    </>
  )
}
