import type { ReactNode } from 'react'
import { PracticeBadge } from '../account/PracticeBadge.tsx'
import { groupByDay } from './groupByDay.ts'
import { TimeZoneNote } from './TimeZoneNote.tsx'
import styles from './RecordDays.module.css'

export type RecordDaysProps<T> = {
  /** Those of a day together. */
  items: readonly T[]
  /** Empty for items that are in another order: they have no heading. */
  dayOf: (item: T) => string
  /** A day's heading; it receives the day's first item. */
  headOf: (day: string, first: T) => ReactNode
  renderRow: (item: T) => ReactNode
}

/** Records grouped by day; the first heading has the zone of the times and the practice badge. */
export function RecordDays<T extends { id: string }>({
  items,
  dayOf,
  headOf,
  renderRow,
}: RecordDaysProps<T>) {
  return groupByDay(items, dayOf).map(({ day, items: dayItems }, index) => (
    <section key={day}>
      <div className={styles.head}>
        {day !== '' && <h2 className={styles.name}>{dayItems[0] && headOf(day, dayItems[0])}</h2>}
        {index === 0 && (
          <>
            <TimeZoneNote />
            <PracticeBadge />
          </>
        )}
      </div>
      <ul>
        {dayItems.map((item) => (
          <li key={item.id} className={styles.item}>
            {renderRow(item)}
          </li>
        ))}
      </ul>
    </section>
  ))
}
