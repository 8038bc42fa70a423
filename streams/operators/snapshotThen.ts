import { Observable, from, type ObservableInput } from 'rxjs'

/** Deltas that may wait for a snapshot; beyond this the oldest are dropped. */
const waitingMax = 10_000

/**
 * A snapshot, then deltas folded into it. The deltas are subscribed before the snapshot is requested, so that none is
 * missed; those that arrive meanwhile are folded in first. `fold` must accept a delta that the snapshot already
 * contains. A failed snapshot fails the stream.
 */
export function snapshotThen<S, D>(
  snapshot: () => ObservableInput<S>,
  deltas$: Observable<D>,
  fold: (state: S, delta: D) => S,
): Observable<S> {
  return new Observable<S>((subscriber) => {
    let state: { value: S } | undefined
    let waiting: D[] = []
    subscriber.add(
      deltas$.subscribe({
        next: (delta) => {
          if (state) {
            state = { value: fold(state.value, delta) }
            subscriber.next(state.value)
          } else {
            waiting.push(delta)
            if (waiting.length > waitingMax) waiting = waiting.slice(waitingMax / 2)
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => state && subscriber.complete(),
      }),
    )
    subscriber.add(
      from(snapshot()).subscribe({
        next: (value) => {
          state = { value: waiting.reduce(fold, value) }
          waiting = []
          subscriber.next(state.value)
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    )
  })
}
