import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, filter, firstValueFrom, fromEvent, map, startWith } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Loadable, Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { toast } from '../../ui/index.ts'
import { endedOrders$, endedOrdersToast } from './endedOrders.ts'

/** Shows how the member's orders ended, with a link to their proof, unless the current page already shows it. */
export function EndedOrderToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const { catalog$, orders } = useStreams()
  const latest = useRef({ t, format })
  useEffect(() => {
    latest.current = { t, format }
  })
  useEffect(() => {
    const showResults = async (ended: readonly Order[]): Promise<void> => {
      const products = (await offlineStore.products())?.value ?? (await loaded(catalog$))
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
  }, [catalog$, orders])
  return null
}

/** The first value of a resource; undefined if it cannot be loaded. */
const loaded = async <T,>(resource$: Observable<Loadable<T>>): Promise<T | undefined> =>
  valueOf(await firstValueFrom(resource$.pipe(filter(({ state }) => state !== 'loading'))))
