import { useFormat } from '../../hooks/useFormat.ts'
import styles from './PhotoTile.module.css'

const size = 48
const strokeWidth = 4
const radius = (size - strokeWidth) / 2
const circumference = 2 * Math.PI * radius

/** An upload's progress, as an arc and in percent. */
export function ProgressRing({ sent, total, label }: { sent: number; total: number; label: string }) {
  const format = useFormat()
  const fraction = total > 0 ? Math.min(1, sent / total) : 0
  const percent = Math.floor(fraction * 100)
  const circle = { cx: size / 2, cy: size / 2, r: radius, strokeWidth, fill: 'none' }
  return (
    <div
      className={styles.ring}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <circle {...circle} className={styles.track} />
        <circle
          {...circle}
          className={styles.arc}
          strokeDasharray={circumference}
          strokeDashoffset={circumference * (1 - fraction)}
        />
      </svg>
      <span className={styles.percent}>{format.rate(percent * 100)}</span>
    </div>
  )
}
