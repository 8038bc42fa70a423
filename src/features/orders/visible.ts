import { fromEvent, map, startWith, type Observable } from 'rxjs'

/** Whether the page is visible, now and from now on. */
export const visible$ = (): Observable<boolean> =>
  fromEvent(document, 'visibilitychange').pipe(
    startWith(undefined),
    map(() => !document.hidden),
  )
