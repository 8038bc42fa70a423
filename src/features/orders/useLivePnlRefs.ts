import { useRef } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { pnlText, toneOf } from './pnl.ts'
import { useLivePnl, writeText } from './useLiveOrder.ts'

/** What the P&L is based on; by rule R1 it is always the newest price, which needs no words. */
const basisText = (t: TFunction, { terms }: Order, isMean: boolean): string =>
  t(terms.rule === 'R1' ? 'order.ifEndedNow' : isMean ? 'order.pnlMean' : 'order.pnlNewest')

/**
 * Refs for the P&L if the order ended now and for its caption: both nodes are written with the shared publish of
 * quotes.
 * @param slim there is no place for the caption but that of a P&L that is not known
 */
export function useLivePnlRefs(order: Order, slim = false) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnlRef = useRef<HTMLSpanElement>(null)
  const caption = useRef<HTMLSpanElement>(null)
  const captionText = (live: LivePnl): string => {
    if (order.status === 'settling') return t('order.settling')
    if (order.entry === null) return t('order.waitingShort')
    return live.pnl === undefined ? t('order.pricePaused') : basisText(t, order, live.mean !== undefined)
  }
  useLivePnl(order, (live) => {
    const pnl = order.status === 'settling' ? undefined : live.pnl
    writeText(pnlRef, pnl === undefined && slim ? captionText(live) : pnlText(format, pnl))
    if (pnlRef.current !== null) pnlRef.current.dataset['tone'] = toneOf(pnl)
    writeText(caption, captionText(live))
  })
  return {
    pnlRef,
    caption,
    /** Shown before the first price. */
    initialCaption: order.entry === null ? t('order.waitingShort') : basisText(t, order, false),
  }
}
