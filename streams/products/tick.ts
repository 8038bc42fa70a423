import { Observable } from 'rxjs'
import type { Hub } from '../hub.ts'
import type { Tick } from '../types.ts'

/**
 * Every tick of a product in order, none missing and none twice; integers at the product's decimals. Who comes late
 * begins with the newest tick, but never with one from before an outage that the venue has gone beyond. Where a hole
 * could not be filled (pruned, or too long) the stream goes on after it.
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
