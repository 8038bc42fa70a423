import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Observable, Subject, asyncScheduler, concatMap, filter, from, map, mergeMap, switchMap } from 'rxjs'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import { toldOrders } from '../../state/memberStores.ts'
import { toast, type ToastInput } from '../../ui/index.ts'
import { endedOrders$, endedOrdersToast } from './endedOrders.ts'
import { holdVisibleLock, isTabVisible, notify, wantsHiddenResults } from './hiddenResults.ts'
import { productCodes } from './productCodes.ts'
import { isResultShown, onMoreResults } from './shownOutcomes.ts'
import { visible$ } from './visible.ts'

/**
 * Shows how the member's orders ended, with a link to their proof, unless the page shows it. While the tab
 * is hidden, a browser notification shows it if the member turned that on, and otherwise the toast once it is visible.
 */
export function EndedOrderToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const { catalog$, orders } = useStreams()
  const latest = useLatest({ t, format })
  useEffect(() => {
    const toastInputOf = async (ended: readonly Order[]): Promise<ToastInput | undefined> => {
      const codeOf = await productCodes(catalog$)
      return endedOrdersToast(latest().t, latest().format, ended, codeOf)
    }
    const hidden = new Subject<readonly Order[]>()
    // Both end with this component: pending results are not shown to another member.
    const subscription = hidden
      .pipe(
        mergeMap((ended) =>
          untoldHidden$(ended).pipe(
            switchMap((mine) => from(toastInputOf(mine)).pipe(map((input) => ({ input, mine })))),
          ),
        ),
      )
      .subscribe(({ input, mine }) => {
        if (input) notify(input, `uptick-${mine[0]?.id ?? ''}`)
      })
    const visibleEnded$ = endedOrders$({
      ended$: orders.ended$,
      isShown: isResultShown,
      shown$: new Observable((observer) => onMoreResults(() => observer.next(undefined))),
      visible$: visible$(),
      takeHidden: (ended) => {
        if (!wantsHiddenResults()) return false
        hidden.next(ended)
        return true
      },
      take: toldOrders.take,
      scheduler: asyncScheduler,
    })
    subscription.add(
      visibleEnded$.pipe(concatMap(toastInputOf)).subscribe((input) => {
        if (input) toast(input)
      }),
    )
    return () => subscription.unsubscribe()
  }, [catalog$, orders, latest])
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

/** The orders that no tab has reported yet. Empty if a tab is visible, because that tab shows them itself. */
const untoldHidden$ = (ended: readonly Order[]): Observable<readonly Order[]> =>
  from(isTabVisible()).pipe(
    filter((isVisible) => !isVisible),
    switchMap(() => toldOrders.take(ended.map(({ id }) => id))),
    map((ids) => ended.filter(({ id }) => ids.includes(id))),
  )
