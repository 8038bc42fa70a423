export type Day<T> = { day: string; items: T[] }

/** Groups neighbouring items of the same day; `dayOf` returns the day of an item. */
export function groupByDay<T>(items: readonly T[], dayOf: (item: T) => string): Day<T>[] {
  const days: Day<T>[] = []
  for (const item of items) {
    const day = dayOf(item)
    const lastDay = days.at(-1)
    if (lastDay?.day === day) lastDay.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}
