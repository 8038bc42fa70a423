import type { Streams } from '../../../streams/index.ts'
import { firstLoaded } from '../../start/firstLoaded.ts'
import { offlineStore } from '../../state/memberStores.ts'

/** The codes of products by their ids, from this device if it has them. */
export async function productCodes(catalog$: Streams['catalog$']): Promise<(productId: string) => string> {
  const products = (await offlineStore.products())?.value ?? (await firstLoaded(catalog$))
  return (id) => products?.find((product) => product.id === id)?.code ?? id
}
