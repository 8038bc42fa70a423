import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/member.ts'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { ListRow } from '../../ui/index.ts'
import { useWithdrawalAccount } from '../../features/account/useWithdrawalAccount.ts'
import styles from './Account.module.css'

/** The status of real-name verification. */
export function VerificationRow({ status }: { status: User['verification'] }) {
  const { t } = useTranslation()
  return (
    <ListRow
      icon="identification-card"
      label={t('title.verify')}
      value={t(`me.verificationStatus.${status}`)}
      href={hrefTo(paths.verify)}
    />
  )
}

/** The last characters of the bound card or address, or a note that none is bound. */
export function WithdrawalAccountRow() {
  const { t } = useTranslation()
  const { account } = useWithdrawalAccount()
  return (
    <ListRow
      icon="bank"
      label={t('title.withdrawalAccount')}
      value={account === undefined ? undefined : account === null ? <Unbound /> : lastCharacters(account)}
      href={hrefTo(paths.account)}
    />
  )
}

const Unbound = () => <span className={styles.unbound}>{useTranslation().t('me.notBound')}</span>

const shownCharacters = 4

/** The last characters that are not masked. */
export function lastCharacters({ cardNumber, currencyAddress }: WithdrawalAccount): string {
  const text = (cardNumber ?? currencyAddress ?? '').replace(/[^0-9A-Za-z]/g, '')
  return `•• ${text.slice(-shownCharacters)}`
}
