import type { Observable, SchedulerLike } from 'rxjs'
import type { Product } from '../../contract/products.ts'
import { mapLoadable } from '../operators/loadable.ts'
import { shareWithGrace } from '../operators/shareWithGrace.ts'
import type { Loadable } from '../types.ts'

/** Shared only so that a page can render at once with the newest value; the catalogue itself stays cached for longer. */
const retainMs = 5000

/** The products that the operator's table recommends, in its order. */
export function recommended$(
  catalog$: Observable<Loadable<Product[]>>,
  scheduler: SchedulerLike,
): Observable<Loadable<Product[]>> {
  return catalog$.pipe(
    mapLoadable((products) => products.filter((product) => product.recommended)),
    shareWithGrace(retainMs, scheduler),
  )
}
