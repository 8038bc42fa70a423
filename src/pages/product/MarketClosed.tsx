import { useTranslation } from 'react-i18next'
import type { Ticker } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useNow } from '../../hooks/useNow.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Button, Icon, formatTimeLeft } from '../../ui/index.ts'
import styles from './MarketClosed.module.css'

export type MarketClosedProps = {
  status: Exclude<Ticker['status'], 'open'>
  opensAt: number | null
  /** False during site maintenance: no other product is open either. */
  isVenueOpen: boolean
}

/** Replaces the ticket while a product takes no orders: the reason, the opening time and the time until then. */
export function MarketClosed({ status, opensAt, isVenueOpen }: MarketClosedProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const leftMs = opensAt === null || now === 0 ? undefined : Math.max(0, opensAt - now)
  return (
    <section className={styles.closed} aria-label={t(`product.${status}`)}>
      <div className={styles.head}>
        <Icon name={status === 'maintenance' ? 'wrench' : 'clock'} size={24} className={styles.icon} />
        <div>
          <h2>{t(`product.${status}`)}</h2>
          <p className={styles.text}>{t(`product.${status}Text`)}</p>
        </div>
      </div>
      <dl className={styles.cells}>
        <div className={styles.cell}>
          <dt>{t('product.openingTime')}</dt>
          <dd className={styles.figure}>{opensAt === null ? '—' : format.timeShort(opensAt)}</dd>
          <dd className={styles.caption}>
            {opensAt === null ? t('product.unknownTime') : format.dayHead(opensAt)}
          </dd>
        </div>
        <div className={styles.cell}>
          <dt>{t('product.opensIn')}</dt>
          <dd className={styles.figure}>
            <span role="timer">{leftMs === undefined ? '—' : formatTimeLeft(leftMs, 'full')}</span>
          </dd>
          {leftMs !== undefined && <dd className={styles.caption}>{t('product.venueTime')}</dd>}
        </div>
      </dl>
      <Button variant="secondary" block href={hrefTo(isVenueOpen ? paths.products : paths.orders)}>
        {t(isVenueOpen ? 'product.otherProducts' : 'orders.title')}
      </Button>
    </section>
  )
}
