import type { Product } from '../../../streams/index.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'

/** A product of the catalogue by its id; undefined until the catalogue is loaded, or if it has no such product. */
export const useProduct = (id: string): Product | undefined =>
  useCatalog()?.find((product) => product.id === id)
