import { Skeleton } from '../../../ui/index.ts'
import { footHeight, headHeight, usePlotHeight } from './size.ts'

/** A placeholder in the size of a chart. */
export const ChartSkeleton = () => <Skeleton height={usePlotHeight() + headHeight + footHeight} radius={8} />
