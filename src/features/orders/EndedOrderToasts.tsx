import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, fromEvent, map, startWith } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { wideMedia } from '../../hooks/useMedia.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { firstLoaded } from '../../router/firstLoaded.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { toast } from '../../ui/index.ts'
import type { ToastInput } from '../../ui/index.ts'
import { endedOrders$, endedOrdersToast } from './endedOrders.ts'
import { holdVisibleLock, notifyHidden, wantsHiddenResults } from './hiddenResults.ts'

/**
 * Shows how the member's orders ended, with a link to their proof, unless the current page already shows it. While the tab
 * is hidden, a notification of the browser shows it if the member wants that, and else the toast once it is visible.
 */
export function EndedOrderToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const { catalog$, orders } = useStreams()
  const latest = useRef({ t, format })
  useEffect(() => {
    latest.current = { t, format }
  })
  useEffect(() => {
    const toastInputOf = async (ended: readonly Order[]): Promise<ToastInput | undefined> => {
      const products = (await offlineStore.products())?.value ?? (await firstLoaded(catalog$))
      const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
      return endedOrdersToast(latest.current.t, latest.current.format, ended, codeOf)
    }
    const showResults = async (ended: readonly Order[]): Promise<void> => {
      const input = await toastInputOf(ended)
      if (input) toast(input)
    }
    const notify = async (ended: readonly Order[]): Promise<void> => {
      const input = await toastInputOf(ended)
      if (input) await notifyHidden(input, `uptick-${ended[0]?.id ?? ''}`)
    }
    const subscription = endedOrders$({
      event$: orders.event$,
      hash: () => location.hash,
      isWide: () => matchMedia(wideMedia).matches,
      visible$: visible$(),
      takeHidden: (ended) => {
        if (!wantsHiddenResults()) return false
        void notify(ended)
        return true
      },
      scheduler: asyncScheduler,
    }).subscribe((ended) => void showResults(ended))
    return () => subscription.unsubscribe()
  }, [catalog$, orders])
  useEffect(() => {
    let visible: AbortController | undefined
    const subscription = visible$().subscribe((isVisible) => {
      visible?.abort()
      visible = new AbortController()
      if (isVisible) holdVisibleLock(visible.signal)
    })
    subscription.add(() => visible?.abort())
    return () => subscription.unsubscribe()
  }, [])
  return null
}

/** Whether the page is visible, now and from now on. */
const visible$ = (): Observable<boolean> =>
  fromEvent(document, 'visibilitychange').pipe(
    startWith(undefined),
    map(() => !document.hidden),
  )
