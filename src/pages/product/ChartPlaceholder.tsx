import { useTranslation } from 'react-i18next'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { Icon, Spinner } from '../../ui/index.ts'
import styles from './ChartPlaceholder.module.css'

/** Over the place of a chart that has nothing to draw yet: that it comes, or that it comes with the connection. */
export function ChartPlaceholder() {
  const { t } = useTranslation()
  const isUnreachable = useVenueUnreachable()
  return (
    <output className={styles.waiting}>
      {isUnreachable ? <Icon name="wifi-slash" size={16} /> : <Spinner />}
      {t(isUnreachable ? 'chart.later' : 'chart.loading')}
    </output>
  )
}
