import { Skeleton } from '../../../ui/index.ts'
import { foot, head, usePlotHeight } from './size.ts'

/** Stands where a chart will, in its size. */
export const ChartSkeleton = () => <Skeleton height={usePlotHeight() + head + foot} radius={8} />
