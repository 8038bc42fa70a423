import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { minor } from '../../../contract/brand.ts'
import type { LivePnl as Live, Order } from '../../../streams/index.ts'
import type { Format } from '../../format.ts'
import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLivePnl, write } from './useLive.ts'
import styles from './LivePnl.module.css'
import { PnlColumn } from './PnlColumn.tsx'

/** Which way money moved, for its colour. */
export const toneOf = (pnl: number | undefined): 'up' | 'down' | 'level' =>
  pnl === undefined || pnl === 0 ? 'level' : pnl > 0 ? 'up' : 'down'

export const pnlText = (format: Format, pnl: number | undefined): string =>
  pnl === undefined ? noFigure : format.money(minor(pnl), 'always')

/** "If it ended now", with what it means under it. Both nodes are written from the shared flush. */
export function LivePnl({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const figure = useRef<HTMLSpanElement>(null)
  const caption = useRef<HTMLSpanElement>(null)
  const told = (live: Live): string => {
    if (order.status === 'settling') return t('order.settling')
    if (order.entry === null) return t('order.waitingShort')
    return live.pnl === undefined ? t('order.pricePaused') : t('order.ifEndedNow')
  }
  useLivePnl(order, (live) => {
    const pnl = order.status === 'settling' ? undefined : live.pnl
    write(figure, pnlText(format, pnl))
    if (figure.current !== null) figure.current.dataset['tone'] = toneOf(pnl)
    write(caption, told(live))
  })
  return (
    <PnlColumn ref={figure} tone="level" figure={noFigure}>
      <span ref={caption} className={styles.caption}>
        {order.entry === null ? t('order.waitingShort') : t('order.ifEndedNow')}
      </span>
    </PnlColumn>
  )
}
