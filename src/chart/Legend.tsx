import { useSyncExternalStore } from 'react'
import type { ChartFormat } from './port.ts'
import type { ReadoutStore } from './readout.ts'
import styles from './Legend.module.css'

export type LegendProps = {
  readout: ReadoutStore
  format: ChartFormat
  /** Initials of open, high, low and close. */
  letters: { open: string; high: string; low: string; close: string }
  /** Shown only while the crosshair is on a bar, as on phones. */
  onlyHovered?: boolean
}

const parts = ['open', 'high', 'low', 'close'] as const

/** Open, high, low and close of the bar under the crosshair, else of the newest. */
export function Legend({ readout, format, letters, onlyHovered = false }: LegendProps) {
  const { hovered, newest } = useSyncExternalStore(readout.watch, readout.get)
  const bar = hovered ?? (onlyHovered ? undefined : newest)
  if (bar === undefined) return null
  return (
    <p className={styles.legend}>
      {onlyHovered && hovered !== undefined && (
        <span className={styles.time}>{format.fullTime(hovered.openAt)}</span>
      )}
      {parts.map((part) => (
        <span key={part} className={styles.part}>
          <span className={styles.letter}>{letters[part]}</span> {format.price(bar[part])}
        </span>
      ))}
    </p>
  )
}
