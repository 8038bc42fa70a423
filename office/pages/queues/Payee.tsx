import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { Icon } from '../../../src/ui/Icon.tsx'
import { useCountryName } from '../../data/useCountryName.ts'
import { useTexts } from '../../i18n.ts'
import { Copy } from '../../ui/Copy.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { payToFacts } from './payToFacts.ts'
import styles from './Payee.module.css'

type Withdrawal = RouteAnswer<typeof officeRoutes.withdrawals.show>

/** Where the money goes, and beside the account's holder the verified name: a clerk must compare them. */
export function Payee({
  withdrawal,
}: {
  withdrawal: Pick<Withdrawal, 'payTo' | 'verifiedName' | 'nameMatches'>
}) {
  const t = useTexts()
  const country = useCountryName()
  const { payTo, verifiedName, nameMatches } = withdrawal
  return (
    <div className={styles.payee}>
      <div className={styles.names} data-differs={!nameMatches || undefined}>
        <div>
          <span className={styles.label}>{t('withdrawal.payee')}</span>
          <span className={styles.name}>
            {payTo.accountName}
            <Copy text={payTo.accountName} label={t('withdrawal.payee')} />
          </span>
        </div>
        <Icon name={nameMatches ? 'check-circle' : 'warning-circle-fill'} size={20} />
        <div>
          <span className={styles.label}>{t('withdrawal.verifiedName')}</span>
          <span className={styles.name}>{verifiedName ?? t('withdrawal.notVerified')}</span>
        </div>
        <p className={styles.verdict}>{nameMatches ? t('withdrawal.same') : t('withdrawal.differs')}</p>
      </div>
      <Facts items={payToFacts(t, country, payTo)} />
    </div>
  )
}
