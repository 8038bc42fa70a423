import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductReport, StatusGap } from '../../../contract/status.ts'
import { ageText } from '../../features/orders/duration.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { KeyValues, TextLink } from '../../ui/index.ts'
import styles from './ProductStatus.module.css'

/** Shown before all of them are asked for. */
const firstGaps = 3

/** The gaps of a product: how many, how long together, the newest of them, and how many orders they refunded. */
export function GapList({ product, at }: { product: ProductReport; at: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const { gaps, gapCount, gapMs, refundedOrders } = product
  const shown = isWhole ? gaps : gaps.slice(0, firstGaps)
  const length = ageText(t, wholeSeconds(gapMs))
  return (
    <>
      <KeyValues
        items={[
          {
            key: 'gaps',
            label: t('status.gaps'),
            value:
              gapCount === 0
                ? t('status.noGaps')
                : t('status.gapSum', { gaps: format.decimal(String(gapCount)), length }),
          },
          ...(refundedOrders === 0
            ? []
            : [
                {
                  key: 'refunded',
                  label: t('status.refunded'),
                  value: format.decimal(String(refundedOrders)),
                },
              ]),
        ]}
      />
      {shown.length > 0 && (
        <ul className={styles.gaps}>
          {shown.map((gap) => (
            <Gap key={gap.from} gap={gap} at={at} />
          ))}
        </ul>
      )}
      {shown.length < gaps.length && (
        <p className={styles.more}>
          <TextLink onClick={() => setWhole(true)}>{t('content.loadMore')}</TextLink>
        </p>
      )}
      {isWhole && gapCount > gaps.length && (
        <p className={styles.note}>{t('status.newestGaps', { gaps: format.decimal(String(gaps.length)) })}</p>
      )}
    </>
  )
}

function Gap({ gap: { from, to, refundedOrders }, at }: { gap: StatusGap; at: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const length = ageText(t, wholeSeconds((to ?? at) - from))
  const end =
    to === null
      ? t('status.lasts')
      : format.date(to) === format.date(from)
        ? format.time(to)
        : format.dateTime(to)
  return (
    <li className={styles.gap}>
      <span>
        {format.dateTime(from)} – {end}
      </span>
      <span className={styles.effect}>
        {length}
        {refundedOrders > 0 && ` · ${t('status.gapRefunds', { count: refundedOrders })}`}
      </span>
    </li>
  )
}

/** A gap of less than a second is not shown as none. */
const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000) * 1000
