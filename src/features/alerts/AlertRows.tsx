import { useTranslation } from 'react-i18next'
import { priceAlertRoutes, type PriceAlert } from '../../../contract/priceAlerts.ts'
import { failedText } from '../../api/failureText.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { IconButton, toast } from '../../ui/index.ts'
import styles from './AlertRows.module.css'

export type AlertRowsProps = {
  /** Of one product, which the heading above them names. */
  alerts: readonly PriceAlert[]
  /** The product's code, for the names of the buttons. */
  code: string
  onRemoved: (alert: PriceAlert) => void
}

/** Price alerts of one product, each with a button that removes it. */
export const AlertRows = ({ alerts, code, onRemoved }: AlertRowsProps) => (
  <ul>
    {alerts.map((alert) => (
      <Row key={alert.id} alert={alert} code={code} onRemoved={onRemoved} />
    ))}
  </ul>
)

type RowProps = { alert: PriceAlert; code: string; onRemoved: (alert: PriceAlert) => void }

function Row({ alert, code, onRemoved }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const call = useCall()
  const price = format.decimal(alert.price)
  const [remove, busy] = useAction(async () => {
    const result = await call(priceAlertRoutes.removePriceAlert, { params: { id: alert.id } })
    const isGone = !result.ok && result.failure.kind === 'rejected' && result.failure.status === 404
    if (result.ok || isGone) onRemoved({ ...alert, status: 'removed', version: alert.version + 1 })
    else toast({ kind: 'problem', text: failedText(t, format, t('alert.removeFailed'), result.failure) })
  })
  return (
    <li className={styles.row}>
      <span className={styles.what}>{t(`alert.short.${alert.kind}`, { price })}</span>
      <IconButton
        className={styles.remove}
        icon="trash"
        size={20}
        label={t('alert.remove', { what: t(`alert.what.${alert.kind}`, { product: code, price }) })}
        busy={busy}
        onClick={remove}
      />
    </li>
  )
}
