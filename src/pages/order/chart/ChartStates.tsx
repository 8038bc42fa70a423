import { Skeleton } from '../../../ui/index.ts'
import { ChartPlaceholder } from '../../../features/market/ChartPlaceholder.tsx'
import { footHeight, headHeight, usePlotHeight } from './size.ts'
import styles from './StepChart.module.css'

const useChartHeight = (): number => usePlotHeight() + headHeight + footHeight

/** Shown while a chart loads, in its size. */
export const ChartSkeleton = () => <Skeleton height={useChartHeight()} radius={8} />

/** Shown if there are no ticks, in a chart's size: an empty grid would suggest that nothing was traded. */
export const OrderChartPlaceholder = () => (
  <div className={styles.placeholder} style={{ height: useChartHeight() }}>
    <ChartPlaceholder />
  </div>
)
