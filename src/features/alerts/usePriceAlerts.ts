import { isNewerVersion } from '../../../contract/version.ts'
import {
  openAlertsMax,
  priceAlert,
  priceAlertRoutes,
  type PriceAlert,
} from '../../../contract/priceAlerts.ts'
import { useList, useListItems, type ListSource } from '../../hooks/useList.ts'

const alertSource: ListSource<PriceAlert> = {
  load: (call, after, signal) =>
    call(priceAlertRoutes.priceAlerts, { query: { limit: String(openAlertsMax), ...after } }, { signal }),
  event$: ({ event$ }) => event$('alert', priceAlert),
  belongs: ({ status }) => status === 'waiting',
  compare: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  isNewer: isNewerVersion,
}

/** The member's price alerts that wait, of all products, live. */
export const usePriceAlerts = () => useList(alertSource)

/** The same as far as they are loaded, which is nothing while they are not wanted. */
export const usePriceAlertItems = (isWanted: boolean): readonly PriceAlert[] =>
  useListItems(isWanted ? alertSource : undefined)
