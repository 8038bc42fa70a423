import { useMemo, useState } from 'react'
import {
  EMPTY,
  defer,
  delay,
  map,
  merge,
  mergeMap,
  of,
  scan,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import type { EndedOrder, Order, Orders } from '../../../streams/index.ts'
import { newestOf, useObservable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useSession } from '../../state/session.ts'
import { newestFirst } from '../../features/orders/list.ts'
import { newestTogether } from '../../features/orders/together.ts'

/** The maximum number of results shown in place of open orders. Above it, the oldest are left out. */
const cardsMax = 3
/** A result that was learned of this long before the page opened, ms, is one of its page's. */
const beforeOpeningMs = 5000
/** A result is new for this long, ms: it takes the place of its order, and the next order does not move it. */
const newMs = 10_000

/** The page waits this long for the open orders, ms: then it comes without them. */
const knownMaxMs = 5000

const monotonic = (): number => performance.now()

export type Shown = {
  /** Undefined until loaded; those of which only the result is missing are settling. */
  open: readonly Order[] | undefined
  /** Newest first. */
  results: readonly EndedOrder[]
  /** Those that are new: each takes the place of its order. */
  fresh: readonly EndedOrder[]
  /** The open orders are loaded, cannot be, or take too long: the page is laid out. */
  isKnown: boolean
}

export const nothingShown: Shown = { open: undefined, results: [], fresh: [], isKnown: false }

type State = Shown & {
  /** The open orders as the list has them. */
  listed: readonly Order[] | undefined
  all: readonly EndedOrder[]
  putAwayBefore: number
}
type Step =
  | { listed: readonly Order[] | undefined; isKnown: boolean }
  | { isKnown: true }
  | { all: readonly EndedOrder[] }
  | { aged: true }

/**
 * The member's open orders on a product, and the results since it is subscribed. The next order puts them away, unless they
 * came while it was being confirmed.
 */
export function shownPositions$(
  { open$, ended$ }: Pick<Orders, 'open$' | 'ended$'>,
  productId: string,
  now: () => number,
  scheduler?: SchedulerLike,
): Observable<Shown> {
  const isHere = (order: Order): boolean => order.productId === productId
  const steps$ = merge(
    open$.pipe(
      map((loadable): Step => {
        return { listed: valueOf(loadable)?.filter(isHere), isKnown: loadable.state !== 'loading' }
      }),
    ),
    timer(knownMaxMs, scheduler).pipe(map((): Step => ({ isKnown: true }))),
    ended$.pipe(
      map((all) => all.filter(({ order }) => isHere(order))),
      mergeMap((all): Observable<Step> => {
        const aged$ = of<Step>({ aged: true }).pipe(delay(newMs + 1))
        return merge(of<Step>({ all }), all.length === 0 ? EMPTY : aged$)
      }),
    ),
  )
  return defer(() => {
    const start: State = {
      ...nothingShown,
      listed: undefined,
      all: [],
      putAwayBefore: now() - beforeOpeningMs,
    }
    return steps$.pipe(
      scan((state: State, step): State => {
        const next = { ...state, ...step }
        next.isKnown ||= state.isKnown
        next.open = withSettling(state.open, next.listed, next.all)
        const newSince = now() - newMs
        if (hasNew(state.open, next.open)) next.putAwayBefore = newSince
        const left = next.all.filter(({ noticedAt }) => noticedAt >= next.putAwayBefore)
        next.results = [...left].reverse()
        next.fresh = next.results.filter(({ noticedAt }) => noticedAt >= newSince)
        return next
      }, start),
    )
  })
}

/** What a page shows at its first render: after another one the open orders are known. */
function initiallyShown({ open$ }: Pick<Orders, 'open$'>, productId: string): Shown {
  const all = valueOf(newestOf(open$) ?? { state: 'loading' })
  if (all === undefined) return nothingShown
  return { ...nothingShown, open: all.filter((order) => order.productId === productId), isKnown: true }
}

const hasNew = (before: readonly Order[] | undefined, after: readonly Order[] | undefined): boolean =>
  before !== undefined && after?.some(({ id }) => before.every((order) => order.id !== id)) === true

/**
 * An order that has left the open ones stays until its result is known: after a pause of the connection the list comes
 * before it.
 */
function withSettling(
  before: readonly Order[] | undefined,
  listed: readonly Order[] | undefined,
  all: readonly EndedOrder[],
): readonly Order[] | undefined {
  if (before === undefined || listed === undefined) return listed
  const left = before.filter(
    ({ id }) => listed.every((order) => order.id !== id) && all.every(({ order }) => order.id !== id),
  )
  if (left.length === 0) return listed
  const settling = left.map((order): Order => {
    return order.status === 'settling' ? order : { ...order, status: 'settling' }
  })
  return [...listed, ...settling].sort(newestFirst('positions'))
}

/**
 * What {@link shownPositions$} says, without the results that were dismissed: `cards`, those of them that are `fresh`, and the
 * `newest` that ended together. The page must be keyed by the product.
 */
export function usePositions(productId: string) {
  const { orders } = useStreams()
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const shown$ = useMemo(() => shownPositions$(orders, productId, monotonic), [orders, productId])
  const initial = useMemo(() => initiallyShown(orders, productId), [orders, productId])
  const isGuest = useSession().token === null
  const { open, results, fresh, isKnown } = useObservable(shown$, initial)
  const left = useMemo(() => {
    const isLeft = ({ order }: EndedOrder): boolean => !dismissed.includes(order.id)
    return {
      cards: results.slice(0, cardsMax).filter(isLeft),
      fresh: fresh.slice(0, cardsMax).filter(isLeft),
      newest: newestTogether(results.filter(isLeft), newMs),
    }
  }, [results, fresh, dismissed])
  const dismiss = (id: string) => setDismissed((before) => [...before, id])
  return { open, isKnown: isKnown || isGuest, ...left, dismiss }
}
