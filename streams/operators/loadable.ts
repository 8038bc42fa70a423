import {
  concat,
  map,
  merge,
  of,
  scan,
  switchMap,
  distinctUntilChanged,
  type Observable,
  type ObservableInput,
  type OperatorFunction,
  type SchedulerLike,
} from 'rxjs'
import { pageTimeoutMs } from '../../contract/constants.ts'
import type { Loadable } from '../types.ts'
import { attempts$, type Attempt } from './attempts.ts'
import { emitIfLate } from './emitIfLate.ts'

type Step<T> = Attempt<T> | 'outdated' | 'retry'

/**
 * A resource with its loading state. Each `reload$` loads it again from `source` (a call, or a snapshot with its
 * deltas) while the previous value stays; the reload reason `retry` shows that it is loading if there is none. A
 * transient failure is emitted and retried; any other stays.
 * @param outdated$ emits when the value may be outdated because the wire went down; it is then marked as not fresh
 */
export function loadable$<T>(
  reload$: Observable<unknown>,
  source: () => ObservableInput<T>,
  outdated$: Observable<unknown>,
  scheduler: SchedulerLike,
): Observable<Loadable<T>> {
  const attempt$ = (): Observable<Step<T>> =>
    attempts$(source, scheduler).pipe(
      emitIfLate<Attempt<T>>(pageTimeoutMs, () => ({ failure: { kind: 'timeout' } }), scheduler),
    )
  const load$ = (reason: unknown): Observable<Step<T>> =>
    reason === 'retry' ? concat(of<Step<T>>('retry'), attempt$()) : attempt$()
  const steps$ = merge(outdated$.pipe(map((): Step<T> => 'outdated')), reload$.pipe(switchMap(load$)))
  return merge(of<Step<T>>('outdated'), steps$).pipe(toLoadable(), distinctUntilChanged())
}

function toLoadable<T>(): OperatorFunction<Step<T>, Loadable<T>> {
  return scan<Step<T>, Loadable<T>>(nextLoadable, { state: 'loading' })
}

export function nextLoadable<T>(before: Loadable<T>, step: Step<T>): Loadable<T> {
  if (step === 'outdated')
    return before.state === 'ready' && before.fresh ? { ...before, fresh: false } : before
  if (step === 'retry')
    return before.state === 'failed' && before.value === undefined ? { state: 'loading' } : before
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
