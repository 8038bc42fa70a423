import { useTranslation } from 'react-i18next'
import type { WithdrawalRest } from '../../../contract/withdrawals.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Icon } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** Until when withdrawals are paused, and why, shown before anything is typed. Renders nothing if they are not. */
export function RestNote({ rest }: { rest: WithdrawalRest | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (rest === null) return null
  return (
    <div className={styles.gate}>
      <div className={styles.gateText}>
        <Icon name="clock" size={20} />
        <div>
          <p className={styles.restUntil}>
            {t('withdraw.resting', { endsAt: format.dateTimeShort(rest.endsAt) })}
          </p>
          <p className={styles.note}>
            {t(`withdraw.restCause.${rest.cause}`)} {t('withdraw.restWhy')}
          </p>
        </div>
      </div>
    </div>
  )
}
