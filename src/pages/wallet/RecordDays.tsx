import type { ReactNode } from 'react'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { groupByDay } from './list.ts'
import styles from './RecordDays.module.css'

export type RecordDaysProps<T> = {
  /** Newest first. */
  items: readonly T[]
  dayOf: (item: T) => string
  /** What a day is called, by its first item. */
  headOf: (day: string, first: T) => ReactNode
  renderRow: (item: T) => ReactNode
}

/** Records under the heads of their days; the first head says whose money it is. */
export function RecordDays<T extends { id: string }>({
  items,
  dayOf,
  headOf,
  renderRow,
}: RecordDaysProps<T>) {
  return groupByDay(items, dayOf).map(({ day, items: ofDay }, index) => (
    <section key={day}>
      <div className={styles.head}>
        <h2 className={styles.name}>{ofDay[0] && headOf(day, ofDay[0])}</h2>
        {index === 0 && <PracticeBadge />}
      </div>
      <ul>
        {ofDay.map((item) => (
          <li key={item.id} className={styles.item}>
            {renderRow(item)}
          </li>
        ))}
      </ul>
    </section>
  ))
}
