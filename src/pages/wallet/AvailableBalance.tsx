import { useTranslation } from 'react-i18next'
import { noValue } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import styles from './Wallet.module.css'

/** What is available now, as it moves; outside of a field's help, which is read out with each change. */
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
