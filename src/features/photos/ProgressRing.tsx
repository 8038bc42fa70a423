import { useFormat } from '../../hooks/useFormat.ts'
import { Ring } from '../../ui/index.ts'
import styles from './PhotoTile.module.css'

/** An upload's progress, as an arc and in percent. */
export function ProgressRing({ sent, total, label }: { sent: number; total: number; label: string }) {
  const format = useFormat()
  const fraction = total > 0 ? Math.min(1, sent / total) : 0
  const percent = Math.floor(fraction * 100)
  return (
    <Ring
      accent
      size={48}
      strokeWidth={4}
      fraction={fraction}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span className={styles.percent}>{format.rate(percent * 100)}</span>
    </Ring>
  )
}
