/** A day as it is typed, 2026-11-24, 2026/11/24 or 20261124, as `2026-11-24`; null if it is none. */
export function dayOf(text: string): string | null {
  const [, year, month, day] = /^\s*(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})\s*$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null
}
