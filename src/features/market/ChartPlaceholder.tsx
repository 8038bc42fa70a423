import { useTranslation } from 'react-i18next'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { Icon, Spinner } from '../../ui/index.ts'
import styles from './ChartPlaceholder.module.css'

export type ChartPlaceholderProps = {
  /** The product has no price yet. */
  awaitsPrice?: boolean
  /** The bars have come, and there are none. */
  isLoaded?: boolean
}

/** Covers a chart without data: it is loading, waits for the connection or for the first price, or there are no prices. */
export function ChartPlaceholder({ awaitsPrice = false, isLoaded = false }: ChartPlaceholderProps) {
  const { t } = useTranslation()
  const isUnreachable = useVenueUnreachable()
  const text = isUnreachable
    ? 'chart.later'
    : awaitsPrice
      ? 'ticket.off.waiting'
      : isLoaded
        ? 'chart.empty'
        : 'chart.loading'
  return (
    <output className={styles.waiting}>
      {isUnreachable ? <Icon name="wifi-slash" size={16} /> : text === 'chart.loading' && <Spinner />}
      {t(text)}
    </output>
  )
}
