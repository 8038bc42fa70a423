import { useTranslation } from 'react-i18next'
import type { Minor } from '../../../contract/units.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Icon } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** How much of the balance cannot be withdrawn yet, and why. Renders nothing if all of it can. */
export function AwaitingNote({ amount }: { amount: Minor }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (amount === 0) return null
  return (
    <div className={styles.gate}>
      <div className={styles.gateText}>
        <Icon name="clock" size={20} />
        <div>
          <p className={styles.restUntil}>{t('withdraw.awaiting', { amount: format.money(amount) })}</p>
          <p className={styles.note}>{t('withdraw.awaitingWhy')}</p>
        </div>
      </div>
    </div>
  )
}
