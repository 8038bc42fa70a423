/** What is left, as a clock tells it: m:ss, from an hour on h:mm:ss. */
export function leftText(remainingMs: number): string {
  const seconds = Math.ceil(Math.max(0, remainingMs) / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const end = two(seconds % 60)
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${end}`
}
