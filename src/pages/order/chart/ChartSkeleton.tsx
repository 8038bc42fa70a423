import { Skeleton } from '../../../ui/index.ts'
import { footHeight, headHeight, usePlotHeight } from './size.ts'

/** Stands where a chart will, in its size. */
export const ChartSkeleton = () => <Skeleton height={usePlotHeight() + headHeight + footHeight} radius={8} />
