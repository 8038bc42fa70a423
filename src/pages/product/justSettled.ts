import { useMemo } from 'react'
import {
  distinctUntilChanged,
  map,
  merge,
  of,
  switchMap,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import type { EndedOrder, Order } from '../../../streams/index.ts'
import { useObservable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** How long a result stays on the chart, ms. */
export const settledShownMs = 10_000

const none: readonly Order[] = []
const monotonic = (): number => performance.now()

/** The orders on a product with an exit that were learned of a moment ago. @param now on the monotonic clock, ms */
export function justSettled$(
  ended$: Observable<readonly EndedOrder[]>,
  productId: string,
  now: () => number,
  scheduler?: SchedulerLike,
): Observable<readonly Order[]> {
  const endOf = ({ noticedAt }: EndedOrder): number => noticedAt + settledShownMs
  return ended$.pipe(
    switchMap((all) => {
      const here = all.filter(({ order }) => order.productId === productId && order.exit !== null)
      const shown = here.filter((ended) => endOf(ended) > now())
      const ends = shown.map((ended) => timer(endOf(ended) - now(), scheduler).pipe(map(() => endOf(ended))))
      return merge(of(now()), ...ends).pipe(map((at) => shown.filter((ended) => endOf(ended) > at)))
    }),
    map((shown) => (shown.length === 0 ? none : shown.map(({ order }) => order))),
    distinctUntilChanged(),
  )
}

/** The member's orders on a product that have just settled: see {@link justSettled$}. */
export function useJustSettled(productId: string): readonly Order[] {
  const { ended$ } = useStreams().orders
  const settled$ = useMemo(() => justSettled$(ended$, productId, monotonic), [ended$, productId])
  return useObservable(settled$, none)
}
