const two = (n: number): string => String(n).padStart(2, '0')

/**
 * What is left, as a clock tells it, a second begun counting whole. `row` is m:ss, from an hour on h:mm:ss; `ring` is
 * as short as can be, seconds alone under a minute and minutes however many, because three figures do not go into
 * it; `full` is always hh:mm:ss.
 */
export function timeLeft(remainingMs: number, shape: 'row' | 'ring' | 'full'): string {
  const all = Math.ceil(Math.max(0, remainingMs) / 1000)
  const minutes = Math.floor(all / 60)
  const seconds = two(all % 60)
  if (shape === 'ring') return all < 60 ? String(all) : `${minutes}:${seconds}`
  const hours = Math.floor(minutes / 60)
  const ofHour = two(minutes % 60)
  if (shape === 'full') return `${two(hours)}:${ofHour}:${seconds}`
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${ofHour}:${seconds}`
}
