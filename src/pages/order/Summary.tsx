import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { addMoney, moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { pnlText, toneOf } from './pnl.ts'
import styles from './Summary.module.css'
import { write } from './useLive.ts'

/** Over the positions: what is staked in all, and what it would come to if it ended now. */
export function Summary({ open }: { open: readonly Order[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders } = useStreams()
  const figure = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const running = orders.openPnl$.subscribe((pnl) => {
      write(figure, pnlText(format, pnl))
      if (figure.current !== null) figure.current.dataset['tone'] = toneOf(pnl)
    })
    return () => running.unsubscribe()
  }, [orders, format])
  return (
    <div className={styles.summary}>
      <div>
        <p className={styles.label}>
          {t('orders.openStakes')} <PracticeBadge />
        </p>
        <p className={styles.figure}>
          {format.money(addMoney(...open.map(({ amount }) => moneyOf(amount))))}
        </p>
      </div>
      <div className={styles.end}>
        <p className={styles.label}>{t('orders.ifEndedNow')}</p>
        <p className={styles.figure}>
          <span ref={figure} data-tone="none">
            {noFigure}
          </span>
        </p>
      </div>
    </div>
  )
}
