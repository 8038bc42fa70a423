import { useCatalog } from '../../../hooks/useCatalog.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import { firstLoaded } from '../../../start/firstLoaded.ts'
import { usePreferences } from '../../../state/preferences.ts'
import { neighbourOf } from './sections.ts'
import { switchProduct } from './switchProduct.ts'

/** Opens the product after or before this one, once the list of products is known, if nothing else is done until then. */
export function useNeighbour(id: string): (step: 1 | -1) => void {
  const { catalog$ } = useStreams()
  const catalog = useCatalog()
  const { favourites } = usePreferences()
  const open = async (step: 1 | -1): Promise<void> => {
    const from = location.hash
    const products = catalog ?? (await unlessDoing(() => firstLoaded(catalog$)))
    const next = products && neighbourOf(products, favourites, id, step)
    if (next !== undefined && location.hash === from) await switchProduct(next)
  }
  return (step) => void open(step)
}

/** What is loaded, unless a key or a pointer was pressed meanwhile: who has gone on to something else stays there. */
async function unlessDoing<T>(load: () => Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController()
  const { signal } = waiting
  for (const type of ['keydown', 'pointerdown'])
    document.addEventListener(type, () => waiting.abort(), { capture: true, signal })
  const loaded = await load()
  if (signal.aborted) return undefined
  waiting.abort()
  return loaded
}
