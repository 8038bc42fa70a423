import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { EMPTY, Subject, filter, first, from, map, mergeMap, switchMap } from 'rxjs'
import { isFinal } from '../../../contract/orders.ts'
import type { Placement, StoredPlacement, Streams } from '../../../streams/index.ts'
import { failedText } from '../../api/failureText.ts'
import type { Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import { paths } from '../../paths.ts'
import { parseHash } from '../../router/hashLocation.ts'
import { toldOrders } from '../../state/memberStores.ts'
import { dismissToast, toast, type ToastInput } from '../../ui/index.ts'
import { productCodes } from './productCodes.ts'
import { isOutcomeShown } from './shownOutcomes.ts'
import { visible$ } from './visible.ts'

/**
 * Reports on every page whether a sent order was placed, unless its sheet already says that it was not. Orders whose
 * request a reload interrupted are looked up and reported too. Each is reported once, in one tab.
 */
export function PlacementToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const { catalog$, orders } = useStreams()
  const latest = useLatest({ t, format })
  useEffect(() => {
    const ended = new Set<string>()
    const outcomes = new Subject<Told>()
    // Ends with this component: a pending outcome is not shown to another member.
    const subscription = outcomes
      .pipe(mergeMap((told) => toldOnce$(told, catalog$)))
      .subscribe(({ placement, isResumed, codeOf }) => {
        // A result says more.
        if (placement.state === 'accepted' && ended.has(placement.order.id)) return
        const { t, format } = latest()
        toast(outcomeToast(t, format, placement, { isResumed, codeOf, hash: location.hash }))
      })
    subscription.add(
      orders.ended$.subscribe((all) => {
        for (const { order } of all) ended.add(order.id)
      }),
    )
    const tell = (placement: Placement, isResumed: boolean): void => outcomes.next({ placement, isResumed })
    const checking = new Map<string, number>()
    const checked = (key: string): void => {
      const shown = checking.get(key)
      checking.delete(key)
      // Orders that are checked at the same time share one toast.
      if (shown !== undefined && ![...checking.values()].includes(shown)) dismissToast(shown)
    }
    const resumed = new Set<string>()
    subscription.add(
      orders.resumed$.subscribe((placement) => {
        const { key } = placement.intent
        resumed.add(key)
        if (placement.state === 'unknown') {
          checking.set(key, toast({ text: latest().t('ticket.resumed') }))
          return
        }
        checked(key)
        tell(placement, true)
      }),
    )
    subscription.add(
      orders.outcome$.subscribe((placement) => {
        const { key } = placement.intent
        if (resumed.has(key)) return
        const isShown = placement.state !== 'accepted' && isOutcomeShown(placement.intent)
        if (isShown) void toldOrders.take([`placed ${key}`])
        else tell(placement, false)
      }),
    )
    return () => subscription.unsubscribe()
  }, [catalog$, orders, latest])
  return null
}

type Told = { placement: Placement; isResumed: boolean }

/** The outcome of an order, once the page is visible, if no tab has reported it; none if the order has ended. */
function toldOnce$(told: Told, catalog$: Streams['catalog$']) {
  const { placement } = told
  if (placement.state === 'accepted' && isFinal(placement.order.status)) return EMPTY
  return from(productCodes(catalog$)).pipe(
    switchMap((codeOf) =>
      visible$().pipe(
        first(Boolean),
        switchMap(() => toldOrders.take([`placed ${placement.intent.key}`])),
        filter((mine) => mine.length > 0),
        map(() => ({ ...told, codeOf })),
      ),
    ),
  )
}

type Where = { isResumed: boolean; codeOf: (productId: string) => string; hash: string }

/** The toast for the outcome of an order. On its product's page the order itself shows that it is placed. */
export function outcomeToast(
  t: TFunction,
  format: Format,
  placement: Placement,
  { isResumed, codeOf, hash }: Where,
): ToastInput {
  const { productId, direction, amount } = placement.intent
  const product = codeOf(productId)
  if (placement.state === 'accepted') {
    const named = {
      product,
      direction: t(direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown'),
      amount: format.money(amount),
    }
    const isShown = isPageOf(hash, placement.intent)
    const what = isShown ? t('order.what', named) : t('order.story', named)
    return { kind: isShown ? 'spoken' : 'success', text: t('ticket.accepted', { what }) }
  }
  if (isResumed) return { kind: 'problem', text: t('ticket.resumedGone') }
  const what = t('order.what', { direction: t(`order.${direction}`), amount: format.money(amount) })
  const text = t('ticket.notPlaced', { product, what })
  return {
    kind: 'problem',
    text: placement.state === 'rejected' ? failedText(t, format, text, placement.failure) : text,
  }
}

function isPageOf(hash: string, { productId }: StoredPlacement): boolean {
  const { path, search } = parseHash(hash)
  return path === paths.product && new URLSearchParams(search).get('id') === productId
}
