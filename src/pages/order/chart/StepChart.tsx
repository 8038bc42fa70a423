import type { PriceUnits } from '../../../../contract/units.ts'
import type { AverageWindow } from '../../../features/orders/averageWindow.ts'
import type { Tone } from '../../../features/orders/pnl.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import { useWidth } from '../../../hooks/useWidth.ts'
import type { Step } from '../../../chart/downsample.ts'
import { MarkerLabels } from './MarkerLabels.tsx'
import { plotSteps, type StepPlot } from './plot.ts'
import styles from './StepChart.module.css'
import { footHeight, headHeight, defaultWidth, usePlotHeight } from './size.ts'
import { textWidth } from './labels.ts'

/** A vertical line at the instant an order began, ended or will end, with the price at that instant. */
export type Marker = { name: string; at: number; price?: PriceUnits | undefined }

/** The window that an exit is the mean of. `mean` is in price units, and may lie between two. */
export type CaptionedWindow = AverageWindow & { caption: string }

export type StepChartProps = {
  /** Describes the chart for screen readers. */
  label: string
  /** Of the entry line and the discs: the order's direction while it runs, then its result. */
  tone: Tone
  priceDecimals: number
  window: { from: number; to: number }
  /** Downsampled to the window. */
  steps: readonly Step[]
  /** Until when the last price is known to be valid. */
  until: number
  markers: readonly Marker[]
  /** The entry price, drawn over the holding period. */
  entry?: { price: PriceUnits; from: number; to: number } | undefined
  /** The elapsed part of the order's holding period. */
  holdingPeriod?: { from: number; to: number } | undefined
  /** Drawn as a band, with its mean as a line, and explained below the chart. */
  average?: CaptionedWindow | undefined
  /** The chart is live: the line's end has a dot, and its price a tag. */
  moving?: boolean
  /** The last price is too old to be valid. */
  stale?: boolean
}

/** An order's ticks as a step line, with its entry price and markers. */
export function StepChart(props: StepChartProps) {
  const { tone, priceDecimals, window, steps, markers, entry, holdingPeriod, average, until } = props
  const format = useFormat()
  const height = usePlotHeight()
  const [measure, width] = useWidth(defaultWidth)
  const price = (units: PriceUnits) => format.price(units, priceDecimals)
  const last = steps.at(-1)
  const pricedMarkers = markers.flatMap((marker) =>
    marker.price === undefined ? [] : [{ ...marker, price: marker.price }],
  )
  const samplePrice = last?.price ?? pricedMarkers[0]?.price
  const axis = Math.max(64, samplePrice === undefined ? 0 : textWidth(price(samplePrice)) + 8)
  const box = { ...window, width: Math.max(1, width - axis), height }
  const prices = pricedMarkers.map((marker): number => marker.price)
  if (average?.mean !== undefined) prices.push(average.mean)
  const plot = plotSteps(steps, box, { until, prices })
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
        data-tone={tone}
        data-stale={props.stale === true || undefined}
      >
        {holdingPeriod !== undefined && <Band kind="held" {...holdingPeriod} plot={plot} height={height} />}
        {average !== undefined && <Band kind="band" {...average} plot={plot} height={height} />}
        <Grid plot={plot} plotWidth={box.width} width={width} label={price} tagY={tag?.y} />
        {markers.map(({ name, at }) => (
          <path key={name} className={styles.mark} d={`M${plot.xOf(at)} 0V${height}`} />
        ))}
        <path className={styles.line} d={plot.path} />
        {entry !== undefined && <Level kind="entry" {...entry} plot={plot} />}
        {average?.mean !== undefined && <Level kind="mean" {...average} price={average.mean} plot={plot} />}
        {pricedMarkers.map((mark) => (
          <Disc key={mark.name} x={plot.xOf(mark.at)} y={plot.yOf(mark.price)} />
        ))}
        {tag !== undefined && <PriceTag {...tag} from={plot.xOf(until)} width={width} />}
        <MarkerLabels
          width={width}
          height={height}
          markers={markers.map(({ name, at }) => ({ name, time: format.time(at), x: plot.xOf(at) }))}
        />
      </svg>
      {average !== undefined && (
        <figcaption className={styles.caption}>
          <span className={styles.swatch} />
          {average.caption}
        </figcaption>
      )}
    </figure>
  )
}

type BandProps = { kind: 'held' | 'band'; from: number; to: number; plot: StepPlot; height: number }

/** A time, over the whole height. */
function Band({ kind, from, to, plot, height }: BandProps) {
  const x = plot.xOf(from)
  return <rect className={styles[kind]} x={x} y={0} width={Math.max(0, plot.xOf(to) - x)} height={height} />
}

type LevelProps = { kind: 'entry' | 'mean'; from: number; to: number; price: number; plot: StepPlot }

/** A price over a time. */
const Level = ({ kind, from, to, price, plot }: LevelProps) => (
  <path className={styles[kind]} d={`M${plot.xOf(from)} ${plot.yOf(price)}H${plot.xOf(to)}`} />
)

const tagHeight = 20

type GridProps = {
  plot: StepPlot
  plotWidth: number
  width: number
  label: (price: PriceUnits) => string
  tagY: number | undefined
}

/** The levels as lines across the plot, and as labels at the right except where the tag would cover them. */
function Grid({ plot, plotWidth, width, label, tagY }: GridProps) {
  return plot.levels.map((level) => {
    const y = plot.yOf(level)
    return (
      <g key={level}>
        <path className={styles.grid} d={`M0 ${y}H${plotWidth}`} />
        {(tagY === undefined || Math.abs(tagY - y) > tagHeight - 2) && (
          <text className={styles.axis} x={width} y={y + 4} textAnchor="end">
            {label(level)}
          </text>
        )}
      </g>
    )
  })
}

const Disc = ({ x, y }: { x: number; y: number }) => (
  <>
    <circle className={styles.halo} cx={x} cy={y} r={6} />
    <circle className={styles.disc} cx={x} cy={y} r={4.5} />
  </>
)

/** The newest price at the axis, and the end of the line. */
function PriceTag({ text, y, from, width }: { text: string; y: number; from: number; width: number }) {
  const tagWidth = textWidth(text) + 10
  return (
    <>
      <path className={styles.lead} d={`M${from} ${y}H${width - tagWidth}`} />
      <circle className={styles.now} cx={from} cy={y} r={3} />
      <rect
        className={styles.tag}
        x={width - tagWidth}
        y={y - tagHeight / 2}
        width={tagWidth}
        height={tagHeight}
        rx={4}
      />
      <text className={styles.tagText} x={width - tagWidth / 2} y={y + 4} textAnchor="middle">
        {text}
      </text>
    </>
  )
}
