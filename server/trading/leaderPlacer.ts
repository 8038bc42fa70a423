import type { Order } from '../../contract/orders.ts'
import { ApiError } from '../apiError.ts'
import type { IdempotencyKeys, KeyScope } from '../idempotency/idempotencyKeys.ts'
import { bodyOf } from '../idempotency/idempotentRoute.ts'
import type { Placer, StoredAnswer } from '../ports.ts'
import { KeyUsedError } from './placement.ts'
import type { Place } from './placement.ts'

export const placementScope = (memberId: string, key: string): KeyScope => ({
  memberId,
  method: 'POST',
  path: '/api/orders',
  key,
})

/** The stored answer of a key that already has an order; throws a mismatch if the answer was pruned. */
export async function readOlderAnswer(
  idempotencyKeys: Pick<IdempotencyKeys, 'find' | 'lockedFingerprint'>,
  scope: KeyScope,
): Promise<StoredAnswer> {
  const stored = await idempotencyKeys.find(scope, idempotencyKeys.lockedFingerprint(scope))
  if (!stored) throw new ApiError('IDEMPOTENCY_MISMATCH')
  return stored
}

/** Places the orders that other nodes request: each key once, however often it is requested. */
export function createLeaderPlacer(
  place: Place,
  idempotencyKeys: Pick<IdempotencyKeys, 'lockNew' | 'lockedFingerprint' | 'find' | 'waitUntilUnlocked'>,
): Placer {
  return {
    place: async (command): Promise<Order> => {
      const scope = placementScope(command.memberId, command.key)
      const locked = await idempotencyKeys.lockNew(scope, command.fingerprint)
      if ('replay' in locked) return bodyOf(locked.replay) as Order
      try {
        return await place(command)
      } catch (error) {
        if (!(error instanceof KeyUsedError)) throw error
        return bodyOf(await readOlderAnswer(idempotencyKeys, scope)) as Order
      } finally {
        locked.release()
      }
    },
    awaitPlacement: (memberId, key) => idempotencyKeys.waitUntilUnlocked(placementScope(memberId, key)),
  }
}
