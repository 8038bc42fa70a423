import type { TFunction } from 'i18next'
import { windowFrom } from '../../../../contract/settle.ts'
import type { Order } from '../../../../streams/index.ts'
import { secondsText } from '../../../features/orders/averaging.ts'
import type { Format } from '../../../format.ts'
import type { AverageWindow } from './StepChart.tsx'

/**
 * The window of an order with rule R2 as its chart draws it; undefined by rule R1.
 * @param value the mean so far, or the exit, as decimal text; undefined if there is none yet
 */
export function averageWindowOf(
  t: TFunction,
  format: Format,
  { terms, closeAt }: Order,
  value: string | undefined,
): AverageWindow | undefined {
  if (terms.rule === 'R1') return undefined
  const seconds = secondsText(format, terms.exitWindowMs)
  const span = { from: windowFrom(terms, { closeAt }), to: closeAt }
  if (value === undefined) return { ...span, caption: t('order.windowOf', { seconds }) }
  const price = format.price(value, terms.priceDecimals + 1)
  // Only drawn: a chart needs no exact price.
  const mean = Number(value) * 10 ** terms.priceDecimals
  return { ...span, mean, caption: t('order.windowMean', { seconds, price }) }
}
