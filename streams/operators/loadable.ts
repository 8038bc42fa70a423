import { EMPTY, Observable, defer, merge, of, switchMap, timer } from 'rxjs'
import type { ObservableInput, OperatorFunction, SchedulerLike } from 'rxjs'
import { distinctUntilChanged, map, retry, scan } from 'rxjs'
import { pageTimeoutMs } from '../../contract/constants.ts'
import { failureOf, isTransient } from '../failure.ts'
import type { Failure, Loadable } from '../types.ts'
import { emitIfLate } from './emitIfLate.ts'

/** A call that may well succeed a moment later is made again after 1, 2, 4, 8, then every 15 seconds. */
const retryMinMs = 1000
const retryMaxMs = 15_000

type Step<T> = { value: T } | { failure: Failure } | 'old'

/**
 * A resource as it stands. Each `again$` works it out anew from `source` (a call, or a snapshot with its deltas)
 * while what is known stays, marked as not fresh. A passing failure is told and tried again; a refusal stays.
 * @param outdated$ says when what is known can no longer be vouched for: the wire went down
 */
export function loadable$<T>(
  reload$: Observable<unknown>,
  source: () => ObservableInput<T>,
  outdated$: Observable<unknown>,
  scheduler: SchedulerLike,
): Observable<Loadable<T>> {
  const attempt$ = (): Observable<Step<T>> =>
    new Observable<Step<T>>((subscriber) => {
      const pauseOrGiveUp = (error: unknown, count: number): Observable<unknown> => {
        const failure = failureOf(error)
        subscriber.next({ failure })
        return isTransient(failure)
          ? timer(Math.min(retryMinMs * 2 ** (count - 1), retryMaxMs), scheduler)
          : EMPTY
      }
      return defer(source)
        .pipe(
          map((value): Step<T> => ({ value })),
          retry({ delay: pauseOrGiveUp, resetOnSuccess: true }),
          emitIfLate<Step<T>>(pageTimeoutMs, () => ({ failure: { kind: 'timeout' } }), scheduler),
        )
        .subscribe(subscriber)
    })
  const steps$ = merge(outdated$.pipe(map((): Step<T> => 'old')), reload$.pipe(switchMap(attempt$)))
  return merge(of<Step<T>>('old'), steps$).pipe(loaded(), distinctUntilChanged())
}

/** The fold: what was there stays while something newer is on its way. */
function loaded<T>(): OperatorFunction<Step<T>, Loadable<T>> {
  return scan<Step<T>, Loadable<T>>(nextLoadable, { state: 'loading' })
}

export function nextLoadable<T>(before: Loadable<T>, step: Step<T>): Loadable<T> {
  if (step === 'old') return before.state === 'ready' && before.fresh ? { ...before, fresh: false } : before
  if ('value' in step) return { state: 'ready', value: step.value, fresh: true }
  const known = before.state === 'loading' || before.value === undefined ? {} : { value: before.value }
  return { state: 'failed', failure: step.failure, ...known }
}

/** Works on what a loadable holds, and leaves the rest as it is. */
export function mapLoadable<A, B>(change: (value: A) => B): OperatorFunction<Loadable<A>, Loadable<B>> {
  return map((loadable): Loadable<B> => {
    if (loadable.state === 'loading') return loadable
    if (loadable.state === 'ready') return { ...loadable, value: change(loadable.value) }
    const { value, ...failed } = loadable
    return value === undefined ? failed : { ...failed, value: change(value) }
  })
}
