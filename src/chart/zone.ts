import { zonedTime } from '../../contract/time.ts'

/** How far a zone is ahead of UTC at an instant, ms. */
export function zoneOffsetMs(zone: string, at: number): number {
  const { year, month, day, hour, minute, second } = zonedTime(at, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}
