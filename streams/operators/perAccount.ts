import { startWith, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'

/**
 * What belongs to a member begins from nothing whenever another session takes over: not for a moment, and not in a
 * late viewer's replay, does one member see what was another's.
 */
export function perAccount<T>(account$: Observable<unknown>, make: () => Observable<T>): Observable<T> {
  return account$.pipe(startWith(undefined), switchMap(make))
}
