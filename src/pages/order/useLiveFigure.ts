import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { pnlText, toneOf } from './pnl.ts'
import { useLivePnl, write } from './useLive.ts'

/** "If it ended now" and what it means: both nodes are written from the shared flush. */
export function useLiveFigure(order: Order) {
  const { t } = useTranslation()
  const format = useFormat()
  const figure = useRef<HTMLSpanElement>(null)
  const caption = useRef<HTMLSpanElement>(null)
  const told = (live: LivePnl): string => {
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
  return {
    figure,
    caption,
    /** Before the first price. */
    first: order.entry === null ? t('order.waitingShort') : t('order.ifEndedNow'),
  }
}
