import { useMemo } from 'react'
import type { ChartMark } from '../../chart/types.ts'
import { useMeansSoFar } from '../../features/orders/useMeansSoFar.ts'
import type { Order } from '../../../streams/index.ts'
import { chartMarksOf } from './chartMarks.ts'

/** Open orders as marks on the chart, each window with its mean so far, and those that have just settled with their exits. */
export function useChartMarks(orders: readonly Order[], settled: readonly Order[]): readonly ChartMark[] {
  const means = useMeansSoFar(orders)
  return useMemo(() => {
    const open = orders.filter(({ id }) => settled.every((each) => each.id !== id))
    return chartMarksOf([...open, ...settled], means)
  }, [orders, settled, means])
}
