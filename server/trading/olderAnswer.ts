import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'
import type { Order } from '../../contract/orders.ts'
import { ApiError } from '../apiError.ts'
import type { IdempotencyKeys, KeyScope } from '../idempotency/idempotencyKeys.ts'
import type { StoredAnswer } from '../ports.ts'

/** The stored answer of a key that already has an order; throws a mismatch if the answer was pruned. */
export async function readOlderAnswer(
  idempotencyKeys: Pick<IdempotencyKeys, 'find' | 'lockedFingerprint'>,
  scope: KeyScope,
): Promise<StoredAnswer> {
  const stored = await idempotencyKeys.find(scope, idempotencyKeys.lockedFingerprint(scope))
  if (!stored) throw new ApiError('IDEMPOTENCY_MISMATCH')
  return stored
}

/** The order of a stored answer. @throws the ApiError that was stored instead */
export function orderOfAnswer({ status, body }: StoredAnswer): Order {
  if (status < 300) return body as Order
  const { code, params, fields } = (body as ErrorBody).error
  throw new ApiError(code as ErrorCode, { ...(params && { params }), ...(fields && { fields }) })
}
