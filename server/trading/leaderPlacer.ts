import { ApiError } from '../apiError.ts'
import type { IdempotencyKeys, KeyScope } from '../idempotency/idempotencyKeys.ts'
import type { Placer, StoredAnswer } from '../ports.ts'
import type { Place } from './placement.ts'
import { placementScope } from './placementKey.ts'

/** The stored answer of a key that already has an order; throws a mismatch if the answer was pruned. */
export async function readOlderAnswer(
  idempotencyKeys: Pick<IdempotencyKeys, 'find' | 'lockedFingerprint'>,
  scope: KeyScope,
): Promise<StoredAnswer> {
  const stored = await idempotencyKeys.find(scope, idempotencyKeys.lockedFingerprint(scope))
  if (!stored) throw new ApiError('IDEMPOTENCY_MISMATCH')
  return stored
}

/**
 * Places the orders that other nodes request: each key once, however often it is requested. The node that was asked reads
 * the first answer of a used key itself.
 */
export function createLeaderPlacer(
  place: Place,
  idempotencyKeys: Pick<IdempotencyKeys, 'lock' | 'waitUntilUnlocked'>,
): Placer {
  return {
    place: async (command) => {
      const release = await idempotencyKeys.lock(
        placementScope(command.memberId, command.key),
        command.fingerprint,
      )
      try {
        return await place(command)
      } finally {
        release()
      }
    },
    awaitPlacement: (memberId, key) => idempotencyKeys.waitUntilUnlocked(placementScope(memberId, key)),
  }
}
