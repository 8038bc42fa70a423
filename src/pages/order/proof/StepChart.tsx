import { useTranslation } from 'react-i18next'
import { priceUnits } from '../../../../contract/brand.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { Order } from '../../../../streams/index.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import { useWidth } from '../../../hooks/useWidth.ts'
import type { WholeProof } from './collect.ts'
import { plotSteps, stepsOf } from './steps.ts'
import styles from './StepChart.module.css'

const plotHeight = 150
/** Before the page has been measured: a phone's. */
const usualWidth = 358
const axis = 64
const head = 22
const foot = 18

/** The real ticks from a little before the entry to a little after the exit, both marked. */
export function StepChart({ order, proof }: { order: Order; proof: WholeProof }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { priceDecimals } = order.terms
  const [measure, width] = useWidth(usualWidth)
  const box = { width: Math.max(1, width - axis), height: plotHeight }
  const steps = stepsOf(proof.ticks, priceDecimals)
  if (steps.length === 0) return null
  const heldMs = order.closeAt - order.acceptedAt
  const from = order.acceptedAt - heldMs * 0.06
  const plot = plotSteps(steps, { from, to: order.closeAt + heldMs * 0.06, ...box })
  const marks = (['entry', 'exit'] as const).flatMap((side) => {
    const fill = order[side]
    const price = fill === null ? undefined : parsePrice(fill.price, priceDecimals)
    return fill === null || price === undefined
      ? []
      : [{ side, at: fill.at, x: plot.xOf(fill.at), y: plot.yOf(price) }]
  })
  const [entry, exit] = marks
  const price = (units: number) => format.price(priceUnits(units), priceDecimals)
  const label = t('order.chart', {
    from: entry === undefined ? '' : format.time(entry.at),
    to: exit === undefined ? '' : format.time(exit.at),
  })
  return (
    <figure ref={measure} aria-label={label}>
      <svg
        className={styles.chart}
        height={box.height + head + foot}
        viewBox={`0 ${-head} ${width} ${box.height + head + foot}`}
        aria-hidden="true"
        data-tone={order.direction}
      >
        {entry !== undefined && exit !== undefined && (
          <rect
            className={styles.held}
            x={entry.x}
            y={0}
            width={Math.max(0, exit.x - entry.x)}
            height={box.height}
          />
        )}
        {plot.levels.map((level) => (
          <g key={level}>
            <path className={styles.grid} d={`M0 ${plot.yOf(level)}H${box.width}`} />
            <text className={styles.axis} x={box.width + axis} y={plot.yOf(level) + 4} textAnchor="end">
              {price(level)}
            </text>
          </g>
        ))}
        <path className={styles.line} d={plot.path} />
        {entry !== undefined && (
          <path
            className={styles.entry}
            d={`M${entry.x} ${entry.y}H${exit === undefined ? box.width : exit.x}`}
          />
        )}
        {marks.map(({ side, at, x, y }) => (
          <g key={side}>
            <path className={styles.mark} d={`M${x} 0V${box.height}`} />
            <circle className={styles.halo} cx={x} cy={y} r={6} />
            <circle className={styles.disc} cx={x} cy={y} r={4.5} />
            <text className={styles.head} x={x} y={-8} textAnchor={x < 24 ? 'start' : 'middle'}>
              {t(`order.${side}`)}
            </text>
            <text className={styles.axis} x={Math.max(24, x)} y={box.height + 14} textAnchor="middle">
              {format.time(at)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}
