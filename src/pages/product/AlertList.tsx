import { useTranslation } from 'react-i18next'
import { openAlertsMax } from '../../../contract/priceAlerts.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { AlertRows } from '../../features/alerts/AlertRows.tsx'
import { usePriceAlerts } from '../../features/alerts/usePriceAlerts.ts'
import { loadableOf } from '../../hooks/useListState.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Skeleton, TextLink } from '../../ui/index.ts'
import styles from './AlertSheet.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** The product's alerts that wait, and the way to those of all products, which count towards one limit. */
export function AlertList({ product }: { product: ProductDetail }) {
  const { t } = useTranslation()
  const list = usePriceAlerts()
  const own = list.items.filter(({ productId }) => productId === product.id)
  return (
    <Loaded
      of={loadableOf(list)}
      failed={t('alert.failed')}
      retry={list.retry}
      skeleton={
        <output aria-label={t('common.loading')}>
          <Skeleton height={52} width="100%" />
        </output>
      }
    >
      {() => (
        <div className={styles.lists}>
          <section aria-label={t('alert.waiting')}>
            <h3 className={styles.heading}>{t('alert.waiting')}</h3>
            <AlertRows alerts={own} code={product.code} onRemoved={list.upsert} />
          </section>
          {own.length === 0 && <p className={styles.text}>{t('alert.none')}</p>}
          {list.items.length > 0 && (
            <p>
              <TextLink caret href={hrefTo(paths.alerts)}>
                {t('alert.all', { waiting: String(list.items.length), max: String(openAlertsMax) })}
              </TextLink>
            </p>
          )}
        </div>
      )}
    </Loaded>
  )
}
