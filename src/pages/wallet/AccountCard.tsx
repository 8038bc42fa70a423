import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { Icon } from '../../ui/index.ts'
import styles from './AccountCard.module.css'
import { AccountCaption } from './AccountLines.tsx'
import { accountTitle } from './walletLabels.ts'

/** The bound account in three lines, with a lock icon because it cannot be changed here. */
export function AccountCard({ account }: { account: WithdrawalAccount }) {
  return (
    <div className={styles.card}>
      <Icon name={account.type === 'bank' ? 'bank' : 'wallet'} size={24} className={styles.icon} />
      <span className={styles.text}>
        <span>{accountTitle(account)}</span>
        <span className={styles.caption}>
          <AccountCaption account={account} />
        </span>
      </span>
      <Icon name="lock-simple" size={20} className={styles.icon} />
    </div>
  )
}
