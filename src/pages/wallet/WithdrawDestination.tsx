import { useTranslation } from 'react-i18next'
import type { Verification } from '../../../contract/verification.ts'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { cx, Icon, TextLink } from '../../ui/index.ts'
import { AccountCard } from './AccountCard.tsx'
import { ServiceNote } from './ServiceNote.tsx'
import styles from './Wallet.module.css'

export type WithdrawDestinationProps = {
  account: WithdrawalAccount | null
  verification: Verification['status']
}

/** The destination of the money, or what is required first: a bound account, then a verified name. */
export function WithdrawDestination({ account, verification }: WithdrawDestinationProps) {
  const { t } = useTranslation()
  return (
    <>
      <div>
        <p className={cx(styles.label, styles.to)}>{t('withdraw.to')}</p>
        {account === null ? (
          <Requirement
            text={t('error.NOT_BOUND')}
            link={t('account.bind')}
            href={hrefTo(paths.accountDetail)}
          />
        ) : (
          <AccountCard account={account} />
        )}
        {account !== null && <ServiceNote />}
      </div>
      {verification !== 'verified' && (
        <Requirement
          waiting={verification === 'under_review'}
          text={verification === 'under_review' ? t('withdraw.verifying') : t('error.NOT_VERIFIED')}
          link={verification === 'under_review' ? t('withdraw.seeVerification') : t('withdraw.verify')}
          href={hrefTo(paths.verify)}
        />
      )}
    </>
  )
}

type RequirementProps = { text: string; link: string; href: string; waiting?: boolean }

function Requirement({ text, link, href, waiting = false }: RequirementProps) {
  return (
    <div className={styles.gate}>
      <span className={styles.gateText}>
        <Icon name={waiting ? 'clock' : 'warning-circle-fill'} size={20} />
        <span>{text}</span>
      </span>
      <TextLink size={15} strong href={href}>
        {link}
      </TextLink>
    </div>
  )
}
