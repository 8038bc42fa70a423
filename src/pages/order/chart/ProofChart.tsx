import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { parsePrice } from '../../../../contract/price.ts'
import type { Order } from '../../../../streams/index.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import type { WholeProof } from '../../../proof/collect.ts'
import { thinned } from './columns.ts'
import { stepsOf, windowOf } from './plot.ts'
import { StepChart } from './StepChart.tsx'

/** The real ticks from a little before the entry to a little after the exit, both marked. */
export function ProofChart({ order, proof }: { order: Order; proof: WholeProof }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { priceDecimals } = order.terms
  const steps = useMemo(() => stepsOf(proof.ticks, priceDecimals), [proof, priceDecimals])
  const drawn = useMemo(() => thinned(steps, windowOf(order)), [steps, order])
  const last = steps.at(-1)
  if (last === undefined) return null
  const ends = (['entry', 'exit'] as const).flatMap((side) => {
    const fill = order[side]
    if (fill === null) return []
    return [{ name: t(`order.${side}`), at: fill.at, price: parsePrice(fill.price, priceDecimals) }]
  })
  const [entry, exit] = ends
  const held = entry && exit && { from: entry.at, to: exit.at }
  return (
    <StepChart
      label={t('order.chart', {
        from: entry === undefined ? '' : format.time(entry.at),
        to: exit === undefined ? '' : format.time(exit.at),
      })}
      direction={order.direction}
      priceDecimals={priceDecimals}
      window={windowOf(order)}
      steps={drawn}
      // A proof goes on past the close where there are ticks; where there are none, the last price stood.
      until={last.at > order.closeAt ? last.at : proof.watermarkAt}
      ends={ends}
      held={held}
      entry={held && entry.price !== undefined ? { ...held, price: entry.price } : undefined}
    />
  )
}
