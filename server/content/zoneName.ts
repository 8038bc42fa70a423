/** Any instant: the generic name is the same all year. */
const at = Date.UTC(2026, 6, 1)

/** The generic name of a time zone; its city if the language has only an offset for it. */
export function zoneName(locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  if (name !== undefined && !/^(GMT|UTC)/.test(name)) return name
  const [area, ...places] = timeZone.split('/')
  return area === 'Etc' ? timeZone : (places.at(-1)?.replaceAll('_', ' ') ?? timeZone)
}
