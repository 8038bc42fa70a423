import type { Observable } from 'rxjs'
import type { Product } from '../../contract/products.ts'
import { mapLoadable } from '../operators/loadable.ts'
import type { Loadable } from '../types.ts'

/** The products that the operator's table recommends, in its order. */
export function recommended$(catalog$: Observable<Loadable<Product[]>>): Observable<Loadable<Product[]>> {
  return catalog$.pipe(mapLoadable((products) => products.filter((product) => product.recommended)))
}
