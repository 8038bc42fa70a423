import { Observable } from 'rxjs'
import type { Hub } from '../hub.ts'
import type { Tick } from '../types.ts'

/**
 * Every tick of a product in order, none missing and none twice; integers at the product's decimals. Where a hole
 * could not be filled (pruned, or too long) the stream goes on after it. Ticks from before an outage are not repeated
 * to who comes late.
 */
export function tick$(hub: Hub, id: string): Observable<Tick> {
  return new Observable<Tick>((subscriber) =>
    hub.listen(id, {
      start: () => undefined,
      tick: (seq, at, price, size) => subscriber.next({ seq, at, price, size }),
    }),
  )
}
