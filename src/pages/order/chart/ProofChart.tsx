import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../../contract/money.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { Order } from '../../../../streams/index.ts'
import { toneOf } from '../../../features/orders/pnl.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import type { CompleteProof } from '../../../proof/completeProof.ts'
import { downsample } from '../../../chart/downsample.ts'
import { captionedWindowOf } from './captionedWindow.ts'
import { stepsOf, windowOf } from './plot.ts'
import { StepChart, type Marker } from './StepChart.tsx'

/** The proof's ticks from shortly before the entry to shortly after the exit, both marked. */
export function ProofChart({ order, proof }: { order: Order; proof: CompleteProof }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { priceDecimals } = order.terms
  const steps = useMemo(() => stepsOf(proof.ticks, priceDecimals), [proof, priceDecimals])
  const downsampled = useMemo(() => downsample(steps, windowOf(order)), [steps, order])
  const last = steps.at(-1)
  if (last === undefined) return null
  const markers = (['entry', 'exit'] as const).flatMap((side): Marker[] => {
    const fill = order[side]
    if (fill === null) return []
    const name = t(`order.${side}`)
    // An averaged exit is drawn as its window.
    if ('value' in fill) return [{ name, at: order.closeAt }]
    return [{ name, at: fill.at, price: parsePrice(fill.price, priceDecimals) }]
  })
  const [entry, exit] = markers
  const exitValue = order.exit !== null && 'value' in order.exit ? order.exit.value : undefined
  const holdingPeriod = entry && exit && { from: entry.at, to: exit.at }
  return (
    <StepChart
      label={t('order.chart', {
        from: entry === undefined ? '' : format.time(entry.at),
        to: exit === undefined ? '' : format.time(exit.at),
      })}
      tone={toneOf(order.pnl === null ? undefined : moneyOf(order.pnl))}
      priceDecimals={priceDecimals}
      window={windowOf(order)}
      steps={downsampled}
      // A proof includes ticks after the close, if there are any. Otherwise the last price was valid until the
      // watermark.
      until={last.at > order.closeAt ? last.at : proof.watermarkAt}
      markers={markers}
      average={captionedWindowOf(t, format, order, exitValue)}
      holdingPeriod={holdingPeriod}
      entry={
        holdingPeriod && entry.price !== undefined ? { ...holdingPeriod, price: entry.price } : undefined
      }
    />
  )
}
