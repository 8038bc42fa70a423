import { useOfficeFormat } from '../data/useOfficeFormat.ts'

/** An instant in the venue's zone. */
export function When({ at }: { at: number | null | undefined }) {
  const format = useOfficeFormat()
  if (at === null || at === undefined) return null
  return <time dateTime={new Date(at).toISOString()}>{format.dateTime(at)}</time>
}

/** The time of an instant today. */
export function TimeOfDay({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useOfficeFormat().time(at)}</time>
}
