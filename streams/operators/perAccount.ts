import { startWith, switchMap, type Observable } from 'rxjs'

/**
 * Restarts a member's stream from nothing whenever another session takes over, so that no member ever sees another's
 * data, not even in the replay to a late subscriber.
 */
export function perAccount<T>(account$: Observable<unknown>, make: () => Observable<T>): Observable<T> {
  return account$.pipe(startWith(undefined), switchMap(make))
}
