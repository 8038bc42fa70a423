import type { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { Icon } from '../../../src/ui/Icon.tsx'
import { useCountryName } from '../../data/useCountryName.ts'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import styles from './Payee.module.css'

type Withdrawal = RouteAnswer<typeof backOfficeRoutes.withdrawals.show>

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
          <span className={styles.name}>{payTo.accountName}</span>
        </div>
        <Icon name={nameMatches ? 'check-circle' : 'warning-circle-fill'} size={20} />
        <div>
          <span className={styles.label}>{t('withdrawal.verifiedName')}</span>
          <span className={styles.name}>{verifiedName ?? t('withdrawal.notVerified')}</span>
        </div>
        <p className={styles.verdict}>{nameMatches ? t('withdrawal.same') : t('withdrawal.differs')}</p>
      </div>
      {payTo.type === 'bank' ? (
        <Facts
          items={[
            { label: t('withdrawal.bank'), value: payTo.bank },
            { label: t('withdrawal.card'), value: payTo.cardNumber },
            { label: t('column.country'), value: country(payTo.nationality) },
            { label: t('withdrawal.address'), value: payTo.accountAddress, wide: true },
          ]}
        />
      ) : (
        <Facts
          items={[
            { label: t('withdrawal.currency'), value: payTo.currency },
            { label: t('column.country'), value: country(payTo.nationality) },
            { label: t('withdrawal.cryptoAddress'), value: payTo.currencyAddress, wide: true },
          ]}
        />
      )}
    </div>
  )
}
