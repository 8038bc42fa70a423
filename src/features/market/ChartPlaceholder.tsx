import { useTranslation } from 'react-i18next'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { Icon, Spinner } from '../../ui/index.ts'
import styles from './ChartPlaceholder.module.css'

/** Covers a chart that has no data yet: it is loading, or waits for the connection or for the first price. */
export function ChartPlaceholder({ awaitsPrice = false }: { awaitsPrice?: boolean }) {
  const { t } = useTranslation()
  const isUnreachable = useVenueUnreachable()
  return (
    <output className={styles.waiting}>
      {isUnreachable ? <Icon name="wifi-slash" size={16} /> : !awaitsPrice && <Spinner />}
      {t(isUnreachable ? 'chart.later' : awaitsPrice ? 'ticket.off.waiting' : 'chart.loading')}
    </output>
  )
}
