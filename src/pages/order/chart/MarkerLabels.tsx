import { separateLabels } from './plot.ts'
import styles from './StepChart.module.css'
import { textWidth } from './textWidth.ts'

export type MarkerLabel = { name: string; time: string; x: number }
export type MarkerLabelsProps = { markers: readonly MarkerLabel[]; width: number; height: number }

/** The names of the markers above their lines and the times below, centred as far as the edges allow. */
export function MarkerLabels({ markers, width, height }: MarkerLabelsProps) {
  const names = labelCentres(
    markers,
    markers.map(({ name }) => name),
    width,
  )
  const times = labelCentres(
    markers,
    markers.map(({ time }) => time),
    width,
  )
  return markers.map(({ name, time }, i) => (
    <g key={name}>
      <text className={styles.head} x={names[i]} y={-8} textAnchor="middle">
        {name}
      </text>
      <text className={styles.axis} x={times[i]} y={height + 14} textAnchor="middle">
        {time}
      </text>
    </g>
  ))
}

const gap = 8

function labelCentres(
  markers: readonly MarkerLabel[],
  texts: readonly string[],
  width: number,
): readonly number[] {
  const [first, second] = markers.map(({ x }) => x)
  const [a = 0, b = 0] = texts.map((text) => textWidth(text) / 2)
  if (first === undefined) return []
  if (second === undefined) return [Math.min(width - a, Math.max(a, first))]
  return separateLabels([first, second], a + b + gap, { min: a, max: width - b })
}
