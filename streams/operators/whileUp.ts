import { EMPTY, distinctUntilChanged, switchMap, type Observable } from 'rxjs'

/** Subscribes to `work$` each time the wire goes up and unsubscribes when it goes down. */
export function whileUp<T>(work$: Observable<T>): (up$: Observable<boolean>) => Observable<T> {
  return (up$) =>
    up$.pipe(
      distinctUntilChanged(),
      switchMap((up) => (up ? work$ : EMPTY)),
    )
}
