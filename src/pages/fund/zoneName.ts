/** Any moment will do: the name is the one of the whole year. */
const at = Date.UTC(2026, 6, 1)

/** A zone by the name of its time, as people say it all year round; by its city where a language has only an offset for it. */
export function zoneName(locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  if (name !== undefined && !/^(GMT|UTC)/.test(name)) return name
  const [area, ...places] = timeZone.split('/')
  return area === 'Etc' ? timeZone : (places.at(-1)?.replaceAll('_', ' ') ?? timeZone)
}
