import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { IconButton, toast } from '../../ui/index.ts'
import { durationText } from '../product/duration.ts'
import { copyText } from '../user/copyText.ts'
import styles from './Facts.module.css'
import { priceText } from './words.ts'

/** Every field of an order: figures in two columns, then its times and its number. */
export function Facts({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const figures = [
    { key: 'entry', value: order.entry === null ? noFigure : priceText(format, order, 'entry') },
    { key: 'exit', value: priceText(format, order, 'exit') },
    { key: 'amount', value: format.money(order.amount) },
    { key: 'payout', value: order.payout === null ? noFigure : format.money(order.payout) },
    { key: 'held', value: durationText(t, order.seconds) },
    { key: 'rate', value: format.rate(order.rateBp) },
  ] as const
  const times = [
    { key: 'accepted', value: format.dateTime(order.acceptedAt) },
    { key: 'closes', value: format.dateTime(order.closeAt) },
  ] as const
  const copy = async () => {
    const copied = await copyText(order.no)
    toast(
      copied
        ? { kind: 'success', text: t('order.copied') }
        : { kind: 'problem', text: t('order.copyFailed') },
    )
  }
  return (
    <dl className={styles.facts}>
      {figures.map(({ key, value }) => (
        <div key={key} className={styles.half}>
          <dt>{t(`order.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {times.map(({ key, value }) => (
        <div key={key} className={styles.whole}>
          <dt>{t(`order.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={styles.whole}>
        <dt>{t('order.number')}</dt>
        <dd className={styles.number}>
          {order.no}
          <IconButton
            icon="copy"
            size={18}
            label={t('order.copyNumber')}
            onClick={() => void copy()}
            className={styles.copy}
          />
        </dd>
      </div>
    </dl>
  )
}
