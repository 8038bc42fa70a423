import { addDays, monthOf, type BusinessDay } from '../../../contract/time.ts'

/** The weeks of a month, Monday first; null for days outside the month. */
export function weeksOf(month: string): (BusinessDay | null)[][] {
  const first = `${month}-01`
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const cells: (BusinessDay | null)[] = Array.from({ length: weekday }, () => null)
  for (let day = first; monthOf(day) === month; day = addDays(day, 1)) cells.push(day)
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}
