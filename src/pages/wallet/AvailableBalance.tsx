import { useTranslation } from 'react-i18next'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import styles from './Wallet.module.css'

/** The available balance, live. Not in a field's hint, because screen readers announce each change of that. */
export function AvailableBalance() {
  const { t } = useTranslation()
  const format = useFormat()
  const { assets$ } = useStreams()
  const assets = valueOf(useLoadable(assets$))
  return (
    <p className={styles.available}>
      {t('home.available')} <b>{assets === undefined ? noValue : format.money(assets.available)}</b>
    </p>
  )
}
