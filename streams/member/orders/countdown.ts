import {
  concat,
  defer,
  distinctUntilChanged,
  expand,
  ignoreElements,
  map,
  merge,
  of,
  switchMap,
  takeWhile,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import { isFinal, type Order } from '../../../contract/orders.ts'
import type { RunningClock } from '../../wire/clock.ts'
import type { Countdown } from '../../types.ts'

export type CountdownParts = {
  clock: Pick<RunningClock, 'now' | 'synced$'>
  /** The device may have been suspended: recomputes at once. */
  resume$: Observable<unknown>
  scheduler: SchedulerLike
}

/**
 * The time left until an order closes, by the venue's clock, emitted at each whole second left. It is computed from
 * `closeAt` each time, never counted down, and never rises. At zero it emits `settling` and completes; `done` if the
 * order has ended. Emits nothing before the venue's time is known.
 */
export function countdown$(
  order: Pick<Order, 'acceptedAt' | 'closeAt' | 'status'>,
  parts: CountdownParts,
): Observable<Countdown> {
  const totalMs = order.closeAt - order.acceptedAt
  if (isFinal(order.status)) return of({ phase: 'done', remainingMs: 0, totalMs })
  const running$ = defer(() => {
    let leastRemainingMs = totalMs
    const compute = (): Countdown => {
      leastRemainingMs = Math.max(0, Math.min(leastRemainingMs, order.closeAt - parts.clock.now()))
      return { phase: leastRemainingMs > 0 ? 'running' : 'settling', remainingMs: leastRemainingMs, totalMs }
    }
    const steps$ = of(0).pipe(
      expand(() => timer(leastRemainingMs % 1000 || Math.min(leastRemainingMs, 1000), parts.scheduler)),
    )
    return merge(of(0), parts.resume$).pipe(
      switchMap(() => defer(() => steps$.pipe(map(compute)))),
      takeWhile((countdown) => countdown.phase === 'running', true),
      distinctUntilChanged((a, b) => a.remainingMs === b.remainingMs && a.phase === b.phase),
    )
  })
  return concat(parts.clock.synced$.pipe(ignoreElements()), running$)
}
