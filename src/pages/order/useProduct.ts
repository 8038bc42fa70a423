import type { Product } from '../../../streams/index.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'

/** A product of the table by its id; undefined until the table is there, or where it holds none. */
export const useProduct = (id: string): Product | undefined =>
  useCatalog()?.find((product) => product.id === id)
