import type { TFunction } from 'i18next'
import type { Order } from '../../../../streams/index.ts'
import { averageWindowOf } from '../../../features/orders/averageWindow.ts'
import { secondsText } from '../../../features/orders/averaging.ts'
import type { Format } from '../../../text/format.ts'
import type { CaptionedWindow } from './StepChart.tsx'

/**
 * The window of an order with rule R2 as its chart draws and explains it; undefined by rule R1.
 * @param value the mean so far, or the exit, as decimal text; undefined if there is none yet
 */
export function captionedWindowOf(
  t: TFunction,
  format: Format,
  order: Order,
  value: string | undefined,
): CaptionedWindow | undefined {
  const window = averageWindowOf(order, value)
  if (window === undefined || order.terms.rule === 'R1') return undefined
  const { exitWindowMs, priceDecimals } = order.terms
  const seconds = secondsText(format, exitWindowMs)
  if (value === undefined || window.mean === undefined)
    return { ...window, caption: t('order.windowOf', { seconds }) }
  const price = format.price(value, priceDecimals + 1)
  return {
    ...window,
    mean: window.mean * 10 ** priceDecimals,
    caption: t('order.windowMean', { seconds, price }),
  }
}
