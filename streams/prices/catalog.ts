import { NEVER, filter, from, map, tap, type Observable } from 'rxjs'
import type { Product, ProductDetail } from '../../contract/products.ts'
import type { ProductEvent } from '../../contract/socket.ts'
import type { ReloadPolicy } from '../member/reloadPolicy.ts'
import { resource$ } from '../member/resource.ts'
import type { Api } from '../parts.ts'
import type { Loadable } from '../types.ts'
import type { Scales } from './scales.ts'

/** The table is small and used by every page, so it stays cached. */
const retainMs = 60_000
export type CatalogParts = {
  api: Pick<Api, 'products' | 'product'>
  scales: Scales
  reloadPolicy: ReloadPolicy
  product$: Observable<ProductEvent>
}
export type Catalog = {
  catalog$: Observable<Loadable<Product[]>>
  product$: (id: string) => Observable<Loadable<ProductDetail>>
}

/** The product table: fetched, patched by `product` events, fetched again after each connect and resume. */
export function createCatalog(parts: CatalogParts): Catalog {
  const { api, scales } = parts
  // The same for every member.
  const reloadPolicy = { ...parts.reloadPolicy, account$: NEVER }
  const catalog$ = resource$({
    fetch: () => from(api.products()).pipe(tap((products) => scales.remember(products))),
    event$: parts.product$,
    fold: patchTable,
    reloadPolicy,
    retainMs,
  })

  const details = new Map<string, Observable<Loadable<ProductDetail>>>()
  const product$ = (id: string): Observable<Loadable<ProductDetail>> => {
    const known = details.get(id)
    if (known) return known
    const detail$ = resource$({
      fetch: () => from(api.product(id)).pipe(tap((product) => scales.remember([product]))),
      event$: parts.product$.pipe(filter((event) => event.id === id)),
      fold: patchDetail,
      reloadPolicy,
      retainMs,
      onRelease: () => details.delete(id),
    })
    details.set(id, detail$)
    return detail$
  }
  return { catalog$, product$ }
}

/** Applies a `product` event: status and hours, and the highest rate if the durations changed. */
export function patchTable(products: Product[], event: ProductEvent): Product[] {
  return products.map((product) => (product.id === event.id ? patched(product, event) : product))
}

export function patchDetail(product: ProductDetail, event: ProductEvent): ProductDetail {
  return { ...patched(product, event), durations: event.durations ?? product.durations }
}

function patched<P extends Product>(product: P, event: ProductEvent): P {
  const { status, opensAt, closesAt, durations } = event
  const rateBp = durations ? Math.max(0, ...durations.map((one) => one.rateBp)) : product.rateBp
  return { ...product, status, opensAt, closesAt, rateBp }
}

export const isReady = <T>(loadable: Loadable<T>): loadable is Extract<Loadable<T>, { state: 'ready' }> =>
  loadable.state === 'ready'

/** The values of a loadable while it is ready. */
export const readyValue$ = <T>(loadable$: Observable<Loadable<T>>): Observable<T> =>
  loadable$.pipe(
    filter(isReady),
    map((ready) => ready.value),
  )
