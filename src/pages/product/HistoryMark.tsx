import { useTranslation } from 'react-i18next'
import { timeframes, type Timeframe } from '../../../contract/candles.ts'
import { hourMs } from '../../../contract/time.ts'
import type { Product } from '../../../streams/index.ts'
import styles from './ChartPanel.module.css'

export type HistoryMarkProps = { product: Pick<Product, 'passes'>; timeframe: Timeframe }

/** Says on the chart that its bars repeat a recording: from an hour on most of them are from before the venue opened. */
export function HistoryMark({ product, timeframe }: HistoryMarkProps) {
  const { t } = useTranslation()
  if (product.passes === undefined || timeframes[timeframe] < hourMs) return null
  return <p className={styles.mark}>{t('chart.simulated')}</p>
}
