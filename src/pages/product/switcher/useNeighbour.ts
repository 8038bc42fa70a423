import { useCatalog } from '../../../hooks/useCatalog.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import { firstLoaded } from '../../../start/firstLoaded.ts'
import { usePreferences } from '../../../state/preferences.ts'
import { neighbourOf } from './sections.ts'
import { switchProduct } from './switchProduct.ts'

/** Opens the product after or before this one, as soon as the list of products is known. */
export function useNeighbour(id: string): (step: 1 | -1) => void {
  const { catalog$ } = useStreams()
  const catalog = useCatalog()
  const { favourites } = usePreferences()
  const open = async (step: 1 | -1): Promise<void> => {
    const from = location.hash
    const products = catalog ?? (await firstLoaded(catalog$))
    const next = products && neighbourOf(products, favourites, id, step)
    if (next !== undefined && location.hash === from) await switchProduct(next)
  }
  return (step) => void open(step)
}
