/** A zone by the name of its time, as people say it on the day of `at`; as it is where a language has none. */
export function zoneName(locale: string, timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}
