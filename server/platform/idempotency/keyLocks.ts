import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

/** Which keys have a request in flight, and the fingerprint of its body. */
export type KeyLocks = {
  /**
   * Waits until no request has the key locked, whatever its body, and locks it in the same turn of the event loop, so
   * that one of many waiting requests gets it. A request with another body is not a mismatch while it is in flight: it
   * may still lose against one in another process. Only the stored answer decides.
   * @returns releases the lock
   */
  acquire(id: string, fingerprint: string): Promise<() => void>
  /** Throws if the key is not locked. */
  fingerprint(id: string): string
  /** Waits while a request with this key is in flight; throws `IDEMPOTENCY_IN_FLIGHT` after ten seconds. */
  waitUntilUnlocked(id: string): Promise<void>
}

/** How long a concurrent duplicate waits for the first answer. */
const duplicateWaitMs = 10_000

type Locked = { fingerprint: string; released: Promise<void> }

export function createKeyLocks(clock: Clock): KeyLocks {
  const locks = new Map<string, Locked>()
  const waitForRelease = async (duplicate: Locked, deadline: number): Promise<void> => {
    if (!(await resolvesBefore(clock, deadline, duplicate.released)))
      throw new ApiError('IDEMPOTENCY_IN_FLIGHT')
  }
  const lock = (id: string, fingerprint: string): (() => void) => {
    let resolveReleased = (): void => undefined
    const released = new Promise<void>((resolve) => {
      resolveReleased = resolve
    })
    locks.set(id, { fingerprint, released })
    return () => {
      locks.delete(id)
      resolveReleased()
    }
  }
  return {
    acquire: async (id, fingerprint) => {
      const deadline = clock.now() + duplicateWaitMs
      for (let duplicate = locks.get(id); duplicate; duplicate = locks.get(id))
        await waitForRelease(duplicate, deadline)
      return lock(id, fingerprint)
    },
    fingerprint: (id) => {
      const locked = locks.get(id)
      if (!locked) throw new Error('The idempotency key is not locked.')
      return locked.fingerprint
    },
    waitUntilUnlocked: async (id) => {
      const deadline = clock.now() + duplicateWaitMs
      for (let duplicate = locks.get(id); duplicate; duplicate = locks.get(id))
        await waitForRelease(duplicate, deadline)
    },
  }
}

/** Whether a promise resolved before the deadline. */
async function resolvesBefore(clock: Clock, deadline: number, promise: Promise<void>): Promise<boolean> {
  let cancel = (): void => undefined
  const timeout = new Promise<false>((resolve) => {
    cancel = clock.at(deadline, () => resolve(false))
  })
  const isInTime = await Promise.race([promise.then(() => true as const), timeout])
  cancel()
  return isInTime
}
