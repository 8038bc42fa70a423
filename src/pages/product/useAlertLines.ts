import { useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductDetail } from '../../../streams/index.ts'
import type { ReadoutStore } from '../../chart/readout.ts'
import type { ChartLine } from '../../chart/types.ts'
import { usePriceAlertItems } from '../../features/alerts/usePriceAlerts.ts'
import { useSession } from '../../state/session.ts'

/**
 * The member's alerts on a product that wait, as lines on the chart. They are loaded after its first bars: on a slow network
 * nothing that an order needs waits for them.
 */
export function useAlertLines(
  { id }: Pick<ProductDetail, 'id'>,
  readout: ReadoutStore,
): readonly ChartLine[] {
  const { t } = useTranslation()
  const isMember = useSession().token !== null
  const hasBars = useSyncExternalStore(readout.watch, () => readout.get().newest !== undefined)
  // Another timeframe starts without bars: the alerts stay.
  const [hadBars, setHadBars] = useState(hasBars)
  if (hasBars && !hadBars) setHadBars(true)
  const alerts = usePriceAlertItems(isMember && hadBars)
  const name = t('alert.onChart')
  return useMemo(
    () =>
      alerts
        .filter(({ productId }) => productId === id)
        // Only drawn: a chart needs no exact price.
        .map(({ price }) => ({ kind: 'alert', price: Number(price), name })),
    [alerts, id, name],
  )
}
