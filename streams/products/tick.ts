import { Observable } from 'rxjs'
import type { Hub } from '../hub.ts'
import type { Tick } from '../types.ts'

/**
 * Every tick of a product exactly once and in order; integers at the product's decimals. A late subscriber starts with
 * the newest tick, but never with one from before an outage that has newer ticks. If a gap could not be filled (pruned,
 * or too long), the stream continues after it.
 */
export function tick$(hub: Hub, id: string): Observable<Tick> {
  return new Observable<Tick>((subscriber) => {
    let hasStarted = false
    return hub.listen(id, {
      start: () => {
        const newest = hasStarted ? undefined : hub.newest(id)
        hasStarted = true
        if (newest) subscriber.next(newest)
      },
      tick: (seq, at, price, size) => subscriber.next({ seq, at, price, size }),
    })
  })
}
