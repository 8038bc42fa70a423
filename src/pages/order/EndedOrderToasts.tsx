import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, fromEvent, map, startWith } from 'rxjs'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { toast } from '../../ui/index.ts'
import { endedOrders$, endedOrdersToast } from './endedOrders.ts'

/** Says how own orders ended, with the way to their proof, while the member is on a page that does not show it. */
export function EndedOrderToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders } = useStreams()
  const latest = useRef({ t, format })
  useEffect(() => {
    latest.current = { t, format }
  })
  useEffect(() => {
    const showToast = async (ended: readonly Order[]): Promise<void> => {
      const products = (await offlineStore.products())?.value
      const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
      const toastInput = endedOrdersToast(latest.current.t, latest.current.format, ended, codeOf)
      if (toastInput) toast(toastInput)
    }
    const subscription = endedOrders$({
      event$: orders.event$,
      hash: () => location.hash,
      visible$: fromEvent(document, 'visibilitychange').pipe(
        startWith(undefined),
        map(() => !document.hidden),
      ),
      scheduler: asyncScheduler,
    }).subscribe((ended) => void showToast(ended))
    return () => subscription.unsubscribe()
  }, [orders])
  return null
}
