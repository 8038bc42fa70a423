import { EMPTY, Observable, defer, merge, of, switchMap, timer } from 'rxjs'
import type { ObservableInput, OperatorFunction, SchedulerLike } from 'rxjs'
import { distinctUntilChanged, map, retry, scan } from 'rxjs'
import { pageTimeoutMs } from '../../contract/constants.ts'
import { failureOf, isTransient } from '../failure.ts'
import type { Failure, Loadable } from '../types.ts'
import { emitIfLate } from './emitIfLate.ts'

/** A transient failure is retried after 1, 2, 4, 8, then every 15 seconds. */
const retryMinMs = 1000
const retryMaxMs = 15_000

type Step<T> = { value: T } | { failure: Failure } | 'outdated'

/**
 * A resource with its loading state. Each `reload$` loads it again from `source` (a call, or a snapshot with its
 * deltas) while the previous value stays. A transient failure is emitted and retried; any other stays.
 * @param outdated$ emits when the value may be outdated because the wire went down; it is then marked as not fresh
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
  const steps$ = merge(outdated$.pipe(map((): Step<T> => 'outdated')), reload$.pipe(switchMap(attempt$)))
  return merge(of<Step<T>>('outdated'), steps$).pipe(toLoadable(), distinctUntilChanged())
}

function toLoadable<T>(): OperatorFunction<Step<T>, Loadable<T>> {
  return scan<Step<T>, Loadable<T>>(nextLoadable, { state: 'loading' })
}

export function nextLoadable<T>(before: Loadable<T>, step: Step<T>): Loadable<T> {
  if (step === 'outdated')
    return before.state === 'ready' && before.fresh ? { ...before, fresh: false } : before
  if ('value' in step) return { state: 'ready', value: step.value, fresh: true }
  const known = before.state === 'loading' || before.value === undefined ? {} : { value: before.value }
  return { state: 'failed', failure: step.failure, ...known }
}

/** Maps the value of a loadable and leaves its state unchanged. */
export function mapLoadable<A, B>(change: (value: A) => B): OperatorFunction<Loadable<A>, Loadable<B>> {
  return map((loadable): Loadable<B> => {
    if (loadable.state === 'loading') return loadable
    if (loadable.state === 'ready') return { ...loadable, value: change(loadable.value) }
    const { value, ...failed } = loadable
    return value === undefined ? failed : { ...failed, value: change(value) }
  })
}
