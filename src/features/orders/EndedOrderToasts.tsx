import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, fromEvent, map, startWith } from 'rxjs'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { toast } from '../../ui/index.ts'
import { endedOrders$, endedOrdersToast } from './endedOrders.ts'

/** Shows how the member's orders ended, with a link to their proof, unless the current page already shows it. */
export function EndedOrderToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders } = useStreams()
  const latest = useRef({ t, format })
  useEffect(() => {
    latest.current = { t, format }
  })
  useEffect(() => {
    const showResults = async (ended: readonly Order[]): Promise<void> => {
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
    }).subscribe((ended) => void showResults(ended))
    return () => subscription.unsubscribe()
  }, [orders])
  return null
}
