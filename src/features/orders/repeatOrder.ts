import type { Order } from '../../../streams/index.ts'
import { paths } from '../../paths.ts'
import { navigate, parseHash, pathWith } from '../../router/hashLocation.ts'
import { ticket } from '../../state/ticket.ts'

/**
 * Opens the confirmation of an order with the terms of an earlier one, on its product's page. The terms travel in memory:
 * no link can open it.
 */
export function repeatOrder({ productId, direction, amount, seconds, rateBp }: Order): void {
  ticket.again = { productId, direction, amount, seconds, rateBp, askedAt: performance.now() }
  const { path, search } = parseHash(location.hash)
  const isThere = path === paths.product && new URLSearchParams(search).get('id') === productId
  if (!isThere) navigate(pathWith(paths.product, { id: productId }))
}
