const twoDigits = (n: number): string => String(n).padStart(2, '0')

/**
 * Formats the remaining time, rounded up to seconds. `row` is `m:ss`, from an hour on `h:mm:ss`. `ring` is as short as
 * possible: seconds only under a minute, and minutes without hours, because three numbers do not fit. `full` is always
 * `hh:mm:ss`.
 */
export function formatTimeLeft(remainingMs: number, shape: 'row' | 'ring' | 'full'): string {
  const totalSeconds = Math.ceil(Math.max(0, remainingMs) / 1000)
  const minutes = Math.floor(totalSeconds / 60)
  const seconds = twoDigits(totalSeconds % 60)
  if (shape === 'ring') return totalSeconds < 60 ? String(totalSeconds) : `${minutes}:${seconds}`
  const hours = Math.floor(minutes / 60)
  const minutesOfHour = twoDigits(minutes % 60)
  if (shape === 'full') return `${twoDigits(hours)}:${minutesOfHour}:${seconds}`
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${minutesOfHour}:${seconds}`
}
