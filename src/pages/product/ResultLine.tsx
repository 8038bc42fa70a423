import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndedOrder } from '../../../streams/index.ts'
import { outcomeText } from '../../features/orders/orderLabels.ts'
import { pnlText, toneOf, totalPnl } from '../../features/orders/pnl.ts'
import { useShownResults } from '../../features/orders/shownOutcomes.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import styles from './ResultLine.module.css'

/** How the newest order ended, beside those that run; of several that ended together, all of them. */
export function ResultLine({ newest }: { newest: readonly EndedOrder[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const together = newest.map(({ order }) => order)
  const line = useRef<HTMLSpanElement>(null)
  useShownResults(together, line)
  const [order] = together
  const pnl = totalPnl(together)
  const tone = toneOf(pnl)
  return (
    <span ref={line} className={styles.line} role="status">
      {order !== undefined &&
        (together.length > 1 ? (
          <a href={hrefTo(paths.orders, { tab: 'closed' })} data-tone={tone}>
            {t('order.endedMany', { count: together.length, pnl: pnlText(format, pnl) })}
          </a>
        ) : (
          <a href={hrefTo(paths.order, { id: order.id })} data-tone={tone}>
            {outcomeText(t, format, order)}
          </a>
        ))}
    </span>
  )
}
