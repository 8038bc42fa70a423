import { ChartWaiting } from '../../product/ChartWaiting.tsx'
import styles from './ChartLater.module.css'
import { foot, head, usePlotHeight } from './size.ts'

/** In a chart's size, what it waits for: an empty grid would say that nothing was traded. */
export const ChartLater = () => (
  <div className={styles.box} style={{ height: usePlotHeight() + head + foot }}>
    <ChartWaiting />
  </div>
)
