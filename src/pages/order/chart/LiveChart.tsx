import { useTranslation } from 'react-i18next'
import { parsePrice } from '../../../../contract/price.ts'
import type { Order } from '../../../../streams/index.ts'
import { useMeanSoFar } from '../../../features/orders/useMeansSoFar.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import { useVenueUnreachable } from '../../../hooks/useVenueUnreachable.ts'
import { ChartSkeleton, OrderChartPlaceholder } from './ChartStates.tsx'
import { captionedWindowOf } from './captionedWindow.ts'
import { windowOf } from './plot.ts'
import { StepChart } from './StepChart.tsx'
import { useLiveSteps } from './useLiveSteps.ts'

/** The ticks of an open order, live, from shortly before the entry to the order's close. */
export function LiveChart({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, steps, until, stale } = useLiveSteps(order)
  const isUnreachable = useVenueUnreachable()
  const mean = useMeanSoFar(order)
  const { closeAt } = order
  const { priceDecimals } = order.terms
  if (state === 'waiting' && !isUnreachable) return <ChartSkeleton />
  if (state !== 'ready') return <OrderChartPlaceholder />
  const entry = order.entry && {
    at: order.entry.at,
    price: parsePrice(order.entry.price, priceDecimals),
  }
  return (
    <StepChart
      label={t('order.chartOpen', { time: format.time(closeAt) })}
      tone={order.direction}
      priceDecimals={priceDecimals}
      window={windowOf(order)}
      steps={steps}
      until={until}
      markers={[
        ...(entry === null ? [] : [{ name: t('order.entry'), ...entry }]),
        { name: t('order.closes'), at: closeAt },
      ]}
      holdingPeriod={entry === null ? undefined : { from: entry.at, to: Math.max(entry.at, until) }}
      entry={entry?.price === undefined ? undefined : { price: entry.price, from: entry.at, to: closeAt }}
      average={captionedWindowOf(t, format, order, mean)}
      moving
      stale={stale}
    />
  )
}
