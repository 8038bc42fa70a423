import type { Order } from '../../contract/orders.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { IdempotencyKeys, KeyScope } from '../idempotency/idempotencyKeys.ts'
import type { Placer } from '../ports.ts'
import { orderOfAnswer, readOlderAnswer } from './olderAnswer.ts'
import type { Place } from './placement.ts'

export const placementScope = (memberId: string, key: string): KeyScope => ({
  memberId,
  method: 'POST',
  path: '/api/orders',
  key,
})

/** Places the orders that other nodes request: each key once, however often it is requested. */
export function createLeaderPlacer(
  place: Place,
  idempotencyKeys: Pick<IdempotencyKeys, 'lock' | 'lockedFingerprint' | 'find' | 'waitUntilUnlocked'>,
): Placer {
  return {
    place: async (command): Promise<Order> => {
      const scope = placementScope(command.memberId, command.key)
      const locked = await idempotencyKeys.lock(scope, command.fingerprint)
      if ('replay' in locked) return orderOfAnswer(locked.replay)
      try {
        return await place(command)
      } catch (error) {
        if (!isUniqueViolation(error, 'orders_key_unique')) throw error
        return orderOfAnswer(await readOlderAnswer(idempotencyKeys, scope))
      } finally {
        locked.release()
      }
    },
    awaitPlacement: (memberId, key) => idempotencyKeys.waitUntilUnlocked(placementScope(memberId, key)),
  }
}
