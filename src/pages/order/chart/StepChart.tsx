import { priceUnits } from '../../../../contract/brand.ts'
import type { Direction } from '../../../../contract/orders.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import { useWidth } from '../../../hooks/useWidth.ts'
import type { Step } from './downsample.ts'
import { MarkerLabels } from './MarkerLabels.tsx'
import { plotSteps } from './plot.ts'
import styles from './StepChart.module.css'
import { footHeight, headHeight, defaultWidth, usePlotHeight } from './size.ts'
import { textWidth } from './textWidth.ts'

/** An upright line: where the order began or ended, or will end, and the price then. */
export type Marker = { name: string; at: number; price?: number | undefined }

export type StepChartProps = {
  /** Says what is to be seen. */
  label: string
  direction: Direction
  priceDecimals: number
  window: { from: number; to: number }
  /** Thinned to the window. */
  steps: readonly Step[]
  /** How long the last price is known to have stood. */
  until: number
  markers: readonly Marker[]
  /** The price that decides, over the time it does. */
  entry?: { price: number; from: number; to: number } | undefined
  /** Of the order's time so much is over. */
  holdingPeriod?: { from: number; to: number } | undefined
  /** The line still moves: its end has a dot, and its price a tag. */
  moving?: boolean
  /** The last price is too old to count. */
  stale?: boolean
}

/** Ticks as a line of steps over an order's time, with what decides it. */
export function StepChart(props: StepChartProps) {
  const { direction, priceDecimals, window, steps, markers, entry, holdingPeriod, until } = props
  const format = useFormat()
  const height = usePlotHeight()
  const [measure, width] = useWidth(defaultWidth)
  const price = (units: number) => format.price(priceUnits(units), priceDecimals)
  const last = steps.at(-1)
  const pricedMarkers = markers.flatMap((end) =>
    end.price === undefined ? [] : [{ ...end, price: end.price }],
  )
  const samplePrice = last?.price ?? pricedMarkers[0]?.price
  const axis = Math.max(64, samplePrice === undefined ? 0 : textWidth(price(samplePrice)) + 8)
  const box = { ...window, width: Math.max(1, width - axis), height }
  const plot = plotSteps(steps, box, { until, prices: pricedMarkers.map((mark) => mark.price) })
  const tag =
    props.moving === true && last !== undefined
      ? { text: price(last.price), y: plot.yOf(last.price) }
      : undefined
  return (
    <figure ref={measure} aria-label={props.label}>
      <svg
        className={styles.chart}
        height={height + headHeight + footHeight}
        viewBox={`0 ${-headHeight} ${width} ${height + headHeight + footHeight}`}
        aria-hidden="true"
        data-tone={direction}
        data-stale={props.stale === true || undefined}
      >
        {holdingPeriod !== undefined && (
          <rect
            className={styles.held}
            x={plot.xOf(holdingPeriod.from)}
            y={0}
            width={Math.max(0, plot.xOf(holdingPeriod.to) - plot.xOf(holdingPeriod.from))}
            height={height}
          />
        )}
        {plot.levels.map((level) => (
          <g key={level}>
            <path className={styles.grid} d={`M0 ${plot.yOf(level)}H${box.width}`} />
            {(tag === undefined || Math.abs(tag.y - plot.yOf(level)) > tagHeight - 2) && (
              <text className={styles.axis} x={width} y={plot.yOf(level) + 4} textAnchor="end">
                {price(level)}
              </text>
            )}
          </g>
        ))}
        {markers.map(({ name, at }) => (
          <path key={name} className={styles.mark} d={`M${plot.xOf(at)} 0V${height}`} />
        ))}
        <path className={styles.line} d={plot.path} />
        {entry !== undefined && (
          <path
            className={styles.entry}
            d={`M${plot.xOf(entry.from)} ${plot.yOf(entry.price)}H${plot.xOf(entry.to)}`}
          />
        )}
        {pricedMarkers.map((mark) => (
          <g key={mark.name}>
            <circle className={styles.halo} cx={plot.xOf(mark.at)} cy={plot.yOf(mark.price)} r={6} />
            <circle className={styles.disc} cx={plot.xOf(mark.at)} cy={plot.yOf(mark.price)} r={4.5} />
          </g>
        ))}
        {tag !== undefined && <PriceTag {...tag} from={plot.xOf(until)} width={width} />}
        <MarkerLabels
          width={width}
          height={height}
          markers={markers.map(({ name, at }) => ({ name, time: format.time(at), x: plot.xOf(at) }))}
        />
      </svg>
    </figure>
  )
}

const tagHeight = 20

/** The newest price at the axis, and where the line has come to. */
function PriceTag({ text, y, from, width }: { text: string; y: number; from: number; width: number }) {
  const wide = textWidth(text) + 10
  return (
    <>
      <path className={styles.lead} d={`M${from} ${y}H${width - wide}`} />
      <circle className={styles.now} cx={from} cy={y} r={3} />
      <rect
        className={styles.tag}
        x={width - wide}
        y={y - tagHeight / 2}
        width={wide}
        height={tagHeight}
        rx={4}
      />
      <text className={styles.tagText} x={width - wide / 2} y={y + 4} textAnchor="middle">
        {text}
      </text>
    </>
  )
}
