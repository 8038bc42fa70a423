import type { ReactNode } from 'react'
import { monthOf, type BusinessDay } from '../../../contract/time.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Card, Skeleton } from '../../ui/index.ts'
import { monthIn } from './MonthHead.tsx'

export type ShownMonth = {
  month: string
  today: BusinessDay
  newest: string
  onMonth: (month: string) => void
}
export type MonthCardProps = {
  /** Undefined while it is not known. */
  today: BusinessDay | undefined
  children: (shown: ShownMonth) => ReactNode
}

/** A card with the month that the address names, `?month=YYYY-MM`, or else the current one. */
export function MonthCard({ today, children }: MonthCardProps) {
  const [query, setQuery] = useQuery()
  if (today === undefined)
    return (
      <Card padded>
        <Skeleton height={320} />
      </Card>
    )
  const newest = monthOf(today)
  const month = monthIn(query, newest)
  return <Card>{children({ month, today, newest, onMonth: (next) => setQuery({ month: next }) })}</Card>
}
