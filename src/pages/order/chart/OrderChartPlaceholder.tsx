import { ChartPlaceholder } from '../../product/ChartPlaceholder.tsx'
import styles from './OrderChartPlaceholder.module.css'
import { footHeight, headHeight, usePlotHeight } from './size.ts'

/** In a chart's size, what it waits for: an empty grid would say that nothing was traded. */
export const OrderChartPlaceholder = () => (
  <div className={styles.box} style={{ height: usePlotHeight() + headHeight + footHeight }}>
    <ChartPlaceholder />
  </div>
)
