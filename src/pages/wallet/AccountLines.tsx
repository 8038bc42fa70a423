import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import styles from './AccountLines.module.css'
import { accountNumber, accountTitle } from './walletLabels.ts'

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

/** The account's number, and below it the holder's name. */
export function AccountCaption({ account }: { account: WithdrawalAccount }) {
  return (
    <>
      {accountNumber(account)}
      <br />
      {account.accountName}
    </>
  )
}
