import { useMemo } from 'react'
import type { ChartMark } from '../../chart/port.ts'
import { useMeansSoFar } from '../../features/orders/useMeansSoFar.ts'
import type { Order } from '../../../streams/index.ts'
import { chartMarksOf } from './chartMarks.ts'

/** Open orders as marks on the chart, each window with its mean so far. */
export function useChartMarks(orders: readonly Order[]): readonly ChartMark[] {
  const means = useMeansSoFar(orders)
  return useMemo(() => chartMarksOf(orders, means), [orders, means])
}
