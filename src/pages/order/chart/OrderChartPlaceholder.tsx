import { ChartPlaceholder } from '../../../features/market/ChartPlaceholder.tsx'
import styles from './OrderChartPlaceholder.module.css'
import { footHeight, headHeight, usePlotHeight } from './size.ts'

/** A placeholder in a chart's size: an empty grid would suggest that nothing was traded. */
export const OrderChartPlaceholder = () => (
  <div className={styles.box} style={{ height: usePlotHeight() + headHeight + footHeight }}>
    <ChartPlaceholder />
  </div>
)
