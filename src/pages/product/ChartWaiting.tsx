import { useTranslation } from 'react-i18next'
import { useAway } from '../../hooks/useAway.ts'
import { Icon, Spinner } from '../../ui/index.ts'
import styles from './ChartWaiting.module.css'

/** Over the place of a chart that has nothing to draw yet: that it comes, or that it comes with the connection. */
export function ChartWaiting() {
  const { t } = useTranslation()
  const away = useAway()
  return (
    <output className={styles.waiting}>
      {away ? <Icon name="wifi-slash" size={16} /> : <Spinner />}
      {t(away ? 'chart.later' : 'chart.loading')}
    </output>
  )
}
