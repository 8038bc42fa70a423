import {
  checkOrder,
  shapeRejection,
  type CheckedOrder,
  type Rejection,
} from '../../../contract/orderCheck.ts'
import type { PlaceRequest } from '../../../contract/orders.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Market, ProductSettings } from '../../market/index.ts'
import type { VenueStatusStore } from '../venueStatus/venueStatus.ts'

/** An order request that passed every check except the balance, at the instant of the check. */
export type Validated = CheckedOrder<ProductSettings>

type PreTradeContext = { market: Market; venueStatus: Pick<VenueStatusStore, 'state'> }

/** Validates an order request at `now` by the contract's own check, which replays and tests run too. */
export function preTradeCheck(
  { market, venueStatus }: PreTradeContext,
  request: PlaceRequest,
  now: number,
): Validated {
  const checked = checkOrder(market, venueStatus.state(), request, now)
  if ('code' in checked) throw errorOf(checked)
  return checked
}

/** The part of the shape that the schema cannot check: the deadline may not be far ahead. */
export function validateShape(request: PlaceRequest, now: number): void {
  const wrong = shapeRejection(request, now)
  if (wrong) throw errorOf(wrong)
}

const errorOf = ({ code, params, fields }: Rejection): ApiError =>
  new ApiError(code, { ...(params && { params }), ...(fields && { fields }) })
