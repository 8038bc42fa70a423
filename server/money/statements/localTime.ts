import { zonedTime } from '../../../contract/time.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-03-09 14:05:07` by the clocks of a zone: the same in every language, and a time for every spreadsheet. */
export function localTime(at: number, zone: string): string {
  const { year, month, day, hour, minute, second } = zonedTime(at, zone)
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}
