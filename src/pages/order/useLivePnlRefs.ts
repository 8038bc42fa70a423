import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { pnlText, toneOf } from './pnl.ts'
import { useLivePnl, writeText } from './useLiveOrder.ts'

/** "If it ended now" and what it means: both nodes are written from the shared flush. */
export function useLivePnlRefs(order: Order) {
  const { t } = useTranslation()
  const format = useFormat()
  const figure = useRef<HTMLSpanElement>(null)
  const caption = useRef<HTMLSpanElement>(null)
  const captionText = (live: LivePnl): string => {
    if (order.status === 'settling') return t('order.settling')
    if (order.entry === null) return t('order.waitingShort')
    return live.pnl === undefined ? t('order.pricePaused') : t('order.ifEndedNow')
  }
  useLivePnl(order, (live) => {
    const pnl = order.status === 'settling' ? undefined : live.pnl
    writeText(figure, pnlText(format, pnl))
    if (figure.current !== null) figure.current.dataset['tone'] = toneOf(pnl)
    writeText(caption, captionText(live))
  })
  return {
    figure,
    caption,
    /** Before the first price. */
    initialCaption: order.entry === null ? t('order.waitingShort') : t('order.ifEndedNow'),
  }
}
