import { useSyncExternalStore } from 'react'
import type { ChartFormat } from './port.ts'
import type { ReadingStore } from './reading.ts'
import styles from './Legend.module.css'

export type LegendProps = {
  reading: ReadingStore
  format: ChartFormat
  /** Initials of open, high, low and close. */
  letters: { open: string; high: string; low: string; close: string }
  /** Only while the crosshair is on a bar: over the chart of a phone. */
  onlyUnder?: boolean
}

const parts = ['open', 'high', 'low', 'close'] as const

/** Open, high, low and close of the bar under the crosshair, else of the newest. */
export function Legend({ reading, format, letters, onlyUnder = false }: LegendProps) {
  const { under, newest } = useSyncExternalStore(reading.watch, reading.get)
  const bar = under ?? (onlyUnder ? undefined : newest)
  if (bar === undefined) return null
  return (
    <p className={styles.legend}>
      {onlyUnder && under !== undefined && (
        <span className={styles.time}>{format.fullTime(under.openAt)}</span>
      )}
      {parts.map((part) => (
        <span key={part} className={styles.part}>
          <span className={styles.letter}>{letters[part]}</span> {format.price(bar[part])}
        </span>
      ))}
    </p>
  )
}
