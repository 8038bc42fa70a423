import { useSyncExternalStore, type CSSProperties } from 'react'
import type { ChartFormat } from './types.ts'
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

/** Tells a line how many letters it has, by which it shrinks on a phone; marks above and below a letter take no width. */
export const lettersOf = (text: string): CSSProperties =>
  ({ '--letters': text.replace(/\p{M}/gu, '').length }) as CSSProperties

/** Open, high, low and close of the bar under the crosshair, else of the newest. Its time is on the axis. */
export function Legend({ readout, format, letters, onlyHovered = false }: LegendProps) {
  const { hovered, newest } = useSyncExternalStore(readout.watch, readout.get)
  const bar = hovered ?? (onlyHovered ? undefined : newest)
  if (bar === undefined) return null
  const values = parts.map((part) => ({ part, letter: letters[part], price: format.price(bar[part]) }))
  return (
    <p
      className={styles.legend}
      style={lettersOf(values.map(({ letter, price }) => letter + price).join(''))}
    >
      {values.map(({ part, letter, price }) => (
        <span key={part}>
          <span className={styles.letter}>{letter}</span> {price}
        </span>
      ))}
    </p>
  )
}
