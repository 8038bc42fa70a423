import { useOfficeFormat } from '../data/useOfficeFormat.ts'

/** An amount as members see it; nothing if there is none. */
export function Money({ value, signed = false }: { value: string | null | undefined; signed?: boolean }) {
  const format = useOfficeFormat()
  if (value === null || value === undefined) return null
  return <>{format.money(value, signed ? 'always' : 'never')}</>
}
