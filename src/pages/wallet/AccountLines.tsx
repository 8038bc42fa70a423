import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import styles from './AccountLines.module.css'
import { accountNumber, accountTitle } from './walletLabels.ts'

/** An account as a value beside its label: what it is called, and which one. */
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

/** Which account it is, and under it whose. */
export function AccountCaption({ account }: { account: WithdrawalAccount }) {
  return (
    <>
      {accountNumber(account)}
      <br />
      {account.accountName}
    </>
  )
}
