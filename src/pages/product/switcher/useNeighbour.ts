import { useCatalog } from '../../../hooks/useCatalog.ts'
import { usePreferences } from '../../../state/preferences.ts'
import { neighbourOf } from './sections.ts'
import { switchProduct } from './switchProduct.ts'

/** Opens the product after or before this one. */
export function useNeighbour(id: string): (step: 1 | -1) => void {
  const catalog = useCatalog()
  const { favourites } = usePreferences()
  return (step) => {
    const next = catalog && neighbourOf(catalog, favourites, id, step)
    if (next !== undefined) void switchProduct(next)
  }
}
