import { useTranslation } from 'react-i18next'
import type { PriceAlert } from '../../../contract/priceAlerts.ts'
import { priceAlertRoutes } from '../../../contract/priceAlerts.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { failedText, failureText } from '../../api/failureText.ts'
import { usePriceAlerts } from '../../features/alerts/usePriceAlerts.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { loadableOf } from '../../hooks/useListState.ts'
import { ErrorState, IconButton, Skeleton, toast } from '../../ui/index.ts'
import styles from './AlertSheet.module.css'

/** The alerts that wait: the product's first, then those of others, since all count towards the limit. */
export function AlertList({ product }: { product: ProductDetail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const catalog = useCatalog()
  const list = usePriceAlerts()
  const loadable = loadableOf(list)
  if (loadable.state === 'loading')
    return (
      <output aria-label={t('common.loading')}>
        <Skeleton height={52} width="100%" />
      </output>
    )
  if (loadable.state === 'failed')
    return (
      <ErrorState title={t('alert.failed')} retryLabel={t('common.retry')} onRetry={list.retry}>
        {failureText(t, format, loadable.failure)}
      </ErrorState>
    )
  const codeOf = (id: string): string => catalog?.find((each) => each.id === id)?.code ?? id
  const isOwn = ({ productId }: PriceAlert): boolean => productId === product.id
  const own = list.items.filter(isOwn)
  const others = list.items.filter((alert) => !isOwn(alert))
  return (
    <div className={styles.lists}>
      <Rows
        title={t('alert.waiting')}
        alerts={own}
        textOf={({ kind, price }) => t(`alert.short.${kind}`, { price: format.decimal(price) })}
        onRemoved={list.upsert}
      />
      {own.length === 0 && <p className={styles.text}>{t('alert.none')}</p>}
      {others.length > 0 && (
        <Rows
          title={t('alert.others')}
          alerts={others}
          textOf={({ kind, productId, price }) =>
            t(`alert.what.${kind}`, { product: codeOf(productId), price: format.decimal(price) })
          }
          onRemoved={list.upsert}
        />
      )}
    </div>
  )
}

type RowsProps = {
  title: string
  alerts: readonly PriceAlert[]
  textOf: (alert: PriceAlert) => string
  onRemoved: (alert: PriceAlert) => void
}

function Rows({ title, alerts, textOf, onRemoved }: RowsProps) {
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      <ul className={styles.rows}>
        {alerts.map((alert) => (
          <Row key={alert.id} alert={alert} text={textOf(alert)} onRemoved={onRemoved} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { alert: PriceAlert; text: string; onRemoved: (alert: PriceAlert) => void }

function Row({ alert, text, onRemoved }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const call = useCall()
  const [remove, busy] = useAction(async () => {
    const result = await call(priceAlertRoutes.removePriceAlert, { params: { id: alert.id } })
    const isGone = !result.ok && result.failure.kind === 'rejected' && result.failure.status === 404
    if (result.ok || isGone) onRemoved({ ...alert, status: 'removed', version: alert.version + 1 })
    else toast({ kind: 'problem', text: failedText(t, format, t('alert.removeFailed'), result.failure) })
  })
  return (
    <li className={styles.row}>
      <span className={styles.what}>{text}</span>
      <IconButton
        className={styles.remove}
        icon="trash"
        size={20}
        label={t('alert.remove', { what: text })}
        busy={busy}
        onClick={remove}
      />
    </li>
  )
}
