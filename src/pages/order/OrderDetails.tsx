import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { IconButton, toast } from '../../ui/index.ts'
import { orderAverageText } from '../../features/orders/averaging.ts'
import { TimeZoneNote } from '../../features/lists/TimeZoneNote.tsx'
import { durationText } from '../../features/orders/duration.ts'
import { copyText } from '../../lib/copyText.ts'
import styles from './OrderDetails.module.css'
import { PriceNow } from '../../features/orders/PriceNow.tsx'
import { closedAt, priceText } from '../../features/orders/orderLabels.ts'

type Detail = { label: string; value: ReactNode }

/** Every field of an order: the values in two columns, then its times, its number and the zone of the times. */
export function OrderDetails({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const entry = order.entry === null ? noValue : priceText(format, order, 'entry')
  const amount = format.money(order.amount)
  const rate = format.rate(order.rateBp)
  const duration = durationText(t, order.seconds)
  const final = isFinal(order.status)
  const average = orderAverageText(t, format, order)
  const pairedDetails: Detail[] = final
    ? [
        { label: t('order.entry'), value: entry },
        { label: t('order.exit'), value: priceText(format, order, 'exit') },
        { label: t('order.amount'), value: amount },
        { label: t('order.payout'), value: order.payout === null ? noValue : format.money(order.payout) },
        { label: t('order.held'), value: duration },
        { label: t('order.rate'), value: rate },
      ]
    : [
        { label: t('order.entry'), value: entry },
        { label: t('ticket.priceNow'), value: <PriceNow order={order} /> },
        { label: t('order.amount'), value: amount },
        { label: t('order.rate'), value: rate },
      ]
  const times: Detail[] = [
    ...(final ? [] : [{ label: t('ticket.duration'), value: duration }]),
    { label: t('order.accepted'), value: format.dateTime(order.acceptedAt) },
    { label: t('order.closes'), value: format.dateTime(closedAt(order)) },
    ...(average === undefined ? [] : [{ label: t('ticket.exitPrice'), value: average }]),
  ]
  return (
    <>
      <dl className={styles.facts}>
        {pairedDetails.map(({ label, value }) => (
          <div key={label} className={styles.half}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {times.map(({ label, value }) => (
          <div key={label} className={styles.whole}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <OrderNumber no={order.no} />
      </dl>
      <p className={styles.zone}>
        <TimeZoneNote />
      </p>
    </>
  )
}

function OrderNumber({ no }: { no: string }) {
  const { t } = useTranslation()
  const copy = async () => {
    const copied = await copyText(no)
    toast(
      copied
        ? { kind: 'success', text: t('order.copied') }
        : { kind: 'problem', text: t('order.copyFailed') },
    )
  }
  return (
    <div className={styles.whole}>
      <dt>{t('order.number')}</dt>
      <dd className={styles.number}>
        {no}
        <IconButton
          icon="copy"
          size={18}
          label={t('order.copyNumber')}
          onClick={() => void copy()}
          className={styles.copy}
        />
      </dd>
    </div>
  )
}
