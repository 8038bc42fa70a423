import { labelCentres } from './labels.ts'
import styles from './StepChart.module.css'

export type MarkerLabel = { name: string; time: string; x: number }
export type MarkerLabelsProps = { markers: readonly MarkerLabel[]; width: number; height: number }

/** The names of the markers above their lines and the times below, centred as far as the edges allow. */
export function MarkerLabels({ markers, width, height }: MarkerLabelsProps) {
  const centresOf = (texts: readonly string[]) =>
    labelCentres(
      markers.map(({ x }) => x),
      texts,
      width,
    )
  const names = centresOf(markers.map(({ name }) => name))
  const times = centresOf(markers.map(({ time }) => time))
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
