import { useOfficeFormat } from '../data/useOfficeFormat.ts'

type MoneyProps = {
  value: string | null | undefined
  signed?: boolean
  /** Said after it where an amount is decided. */
  currency?: string | undefined
}

/** An amount as members see it; nothing if there is none. */
export function Money({ value, signed = false, currency }: MoneyProps) {
  const format = useOfficeFormat()
  if (value === null || value === undefined) return null
  const amount = format.money(value, signed ? 'always' : 'never')
  return <>{currency === undefined ? amount : `${amount} ${currency}`}</>
}
