import { EMPTY, distinctUntilChanged, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'

/** Runs `work$` anew each time the wire is up and lets go of it when it goes down; tells nothing meanwhile. */
export function whileUp<T>(work$: Observable<T>): (up$: Observable<boolean>) => Observable<T> {
  return (up$) =>
    up$.pipe(
      distinctUntilChanged(),
      switchMap((up) => (up ? work$ : EMPTY)),
    )
}
