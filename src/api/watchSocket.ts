import { distinctUntilChanged, map, of, scan, switchMap, type Observable, type Subscription } from 'rxjs'
import type { Streams } from '../../streams/index.ts'
import type { AnswerWithoutSocket } from './findPolling.ts'
import { setSocketBlocked } from '../state/socketBlocked.ts'

/**
 * Finds out for all pages whether the network lets no WebSocket through, and where the venue allows long polling, no poll
 * either: then there is no connection, but calls are answered.
 */
export function watchSocket(
  { connection$ }: Pick<Streams, 'connection$'>,
  answer$: Observable<AnswerWithoutSocket>,
): Subscription {
  return connection$
    .pipe(
      map(({ state }) => state === 'connecting' || state === 'reconnecting'),
      distinctUntilChanged(),
      // The venue may be away, and come back.
      switchMap((isConnecting) => (isConnecting ? answer$.pipe(isBlocked) : of(false))),
      distinctUntilChanged(),
    )
    .subscribe(setSocketBlocked)
}

/** Where long polling is allowed, it begins with the first answer. */
const isBlocked = (answer$: Observable<AnswerWithoutSocket>): Observable<boolean> =>
  answer$.pipe(
    scan(
      ({ hasPolled }, { isAnswered, longPolling }) => ({
        isBlocked: isAnswered && (hasPolled || !longPolling),
        hasPolled: hasPolled || longPolling,
      }),
      { isBlocked: false, hasPolled: false },
    ),
    map((found) => found.isBlocked),
  )
