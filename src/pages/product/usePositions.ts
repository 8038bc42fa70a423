import { useMemo, useState } from 'react'
import { EMPTY, defer, delay, map, merge, mergeMap, of, scan, type Observable } from 'rxjs'
import type { EndedOrder, Order, Orders } from '../../../streams/index.ts'
import { useObservable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { newestTogether } from '../../features/orders/together.ts'

/** The maximum number of results shown in place of open orders. Above it, the oldest are left out. */
const cardsMax = 3
/** A result that was learned of this long before the page opened, ms, is one of its page's. */
const beforeOpeningMs = 5000
/** A result is new for this long, ms: it takes the place of its order, and the next order does not move it. */
const newMs = 10_000

const monotonic = (): number => performance.now()

export type Shown = {
  /** Undefined until loaded. */
  open: readonly Order[] | undefined
  /** Newest first. */
  results: readonly EndedOrder[]
  /** Those that are new: each takes the place of its order. */
  fresh: readonly EndedOrder[]
}

export const nothingShown: Shown = { open: undefined, results: [], fresh: [] }

type State = Shown & { all: readonly EndedOrder[]; putAwayBefore: number }
type Step = { open: readonly Order[] | undefined } | { all: readonly EndedOrder[] } | { aged: true }

/**
 * The member's open orders on a product, and the results since it is subscribed. The next order puts them away, unless they
 * came while it was being confirmed.
 */
export function shownPositions$(
  { open$, ended$ }: Pick<Orders, 'open$' | 'ended$'>,
  productId: string,
  now: () => number,
): Observable<Shown> {
  const isHere = (order: Order): boolean => order.productId === productId
  const steps$ = merge(
    open$.pipe(
      map((loadable): Step => {
        const all = loadable.state === 'loading' ? undefined : loadable.value
        return { open: all?.filter(isHere) }
      }),
    ),
    ended$.pipe(
      map((all) => all.filter(({ order }) => isHere(order))),
      mergeMap((all): Observable<Step> => {
        const aged$ = of<Step>({ aged: true }).pipe(delay(newMs + 1))
        return merge(of<Step>({ all }), all.length === 0 ? EMPTY : aged$)
      }),
    ),
  )
  return defer(() => {
    const start: State = { ...nothingShown, all: [], putAwayBefore: now() - beforeOpeningMs }
    return steps$.pipe(
      scan((state: State, step): State => {
        const next = { ...state, ...step }
        const newSince = now() - newMs
        if ('open' in step && hasNew(state.open, step.open)) next.putAwayBefore = newSince
        const left = next.all.filter(({ noticedAt }) => noticedAt >= next.putAwayBefore)
        next.results = [...left].reverse()
        next.fresh = next.results.filter(({ noticedAt }) => noticedAt >= newSince)
        return next
      }, start),
    )
  })
}

const hasNew = (before: readonly Order[] | undefined, after: readonly Order[] | undefined): boolean =>
  before !== undefined && after?.some(({ id }) => before.every((order) => order.id !== id)) === true

/**
 * What {@link shownPositions$} says, without the results that were dismissed: `cards`, those of them that are `fresh`, and the
 * `newest` that ended together. The page must be keyed by the product.
 */
export function usePositions(productId: string) {
  const { orders } = useStreams()
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const shown$ = useMemo(() => shownPositions$(orders, productId, monotonic), [orders, productId])
  const { open, results, fresh } = useObservable(shown$, nothingShown)
  const left = useMemo(() => {
    const isLeft = ({ order }: EndedOrder): boolean => !dismissed.includes(order.id)
    return {
      cards: results.slice(0, cardsMax).filter(isLeft),
      fresh: fresh.slice(0, cardsMax).filter(isLeft),
      newest: newestTogether(results.filter(isLeft)),
    }
  }, [results, fresh, dismissed])
  const dismiss = (id: string) => setDismissed((before) => [...before, id])
  return { open, ...left, dismiss }
}
