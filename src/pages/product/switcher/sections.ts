import type { Product } from '../../../../streams/index.ts'

export type ProductSections = {
  favourites: readonly Product[]
  /** Seen last, newest first, without favourites. */
  seen: readonly Product[]
  others: readonly Product[]
}

/** The products in the order of a switcher, each once: favourites, those seen last, and the others in the venue's order. */
export function productSections(
  catalog: readonly Product[],
  favourites: readonly string[],
  lastSeen: readonly string[] = [],
): ProductSections {
  const isFavourite = ({ id }: Product): boolean => favourites.includes(id)
  const seen = lastSeen.flatMap((id) => catalog.filter((each) => each.id === id && !isFavourite(each)))
  return {
    favourites: catalog.filter(isFavourite),
    seen,
    others: catalog.filter((each) => !isFavourite(each) && !seen.includes(each)),
  }
}

/** The product after or before one, in the order of the list beside the chart; after the last comes the first. */
export function neighbourOf(
  catalog: readonly Product[],
  favourites: readonly string[],
  id: string,
  step: 1 | -1,
): string | undefined {
  const { favourites: first, others } = productSections(catalog, favourites)
  const ids = [...first, ...others].map((product) => product.id)
  const at = ids.indexOf(id)
  const next = at < 0 ? ids[0] : ids[(at + step + ids.length) % ids.length]
  return next === id ? undefined : next
}
