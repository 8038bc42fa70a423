import { ApiError } from '../../platform/apiError.ts'
import type { IdempotencyKeys } from '../../platform/idempotency/idempotencyKeys.ts'
import type { KeyScope } from '../../platform/idempotency/storedAnswers.ts'
import type { Freezes } from '../../money/index.ts'
import type { Placer, Principal, SessionOwners, StoredAnswer } from '../../platform/ports.ts'
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

type LeaderPlacerParts = {
  place: Place
  idempotencyKeys: Pick<IdempotencyKeys, 'lock' | 'waitUntilUnlocked'>
  sessions: SessionOwners
  freezes: Pick<Freezes, 'assertNotFrozen'>
}

/**
 * Places the orders that other nodes request: each key once, however often it is requested. The node that was asked reads
 * the first answer of a used key itself. The session is looked up again, because the other node's view of it may be old.
 */
export function createLeaderPlacer(parts: LeaderPlacerParts): Placer {
  const { place, idempotencyKeys, sessions, freezes } = parts
  const assertMayTrade = async ({ memberId, sessionId }: Principal): Promise<void> => {
    const [owner] = await Promise.all([sessions.memberOf(sessionId), freezes.assertNotFrozen(memberId)])
    if (owner !== memberId) throw new ApiError('UNAUTHENTICATED')
  }
  return {
    place: async (command) => {
      await assertMayTrade(command)
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
