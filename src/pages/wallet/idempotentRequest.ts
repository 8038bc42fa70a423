import { retryAfterMsOf } from '../../api/result.ts'
import type { Result } from '../../api/result.ts'
import type { Failure } from '../../../streams/index.ts'

/** Between two tries of one request, in ms: short, because the member is waiting, and then longer. */
export const retryDelaysMs = [1000, 2000, 4000] as const
/** A venue that asks for more patience than this is told to the member. */
const retryWaitMaxMs = 5000

/**
 * Whether the venue may have done what was asked although no answer says so: the answer was lost on its way, or
 * it says only that the venue could not tell. The same key may be sent again; it never counts twice.
 */
export function isOutcomeUnknown(failure: Failure): boolean {
  if (failure.kind !== 'rejected') return true
  return failure.status >= 500 || failure.status === 429 || failure.code === 'IDEMPOTENCY_IN_FLIGHT'
}

/**
 * Sends one request with its key until there is a definite answer, or the tries are used up: then its last
 * failure is an open one (see {@link isOutcomeUnknown}) and the caller keeps the key.
 * @param pause waits between tries
 * @param onOutcomeUnknown told after each try that left the outcome open
 */
export async function sendIdempotent<T>(
  send: () => Promise<Result<T>>,
  pause: (ms: number) => Promise<void>,
  onOutcomeUnknown: () => void,
): Promise<Result<T>> {
  let result = await send()
  for (const ms of retryDelaysMs) {
    if (result.ok || !isOutcomeUnknown(result.failure)) return result
    onOutcomeUnknown()
    const requestedWaitMs = retryAfterMsOf(result.failure) ?? 0
    if (requestedWaitMs > retryWaitMaxMs) return result
    await pause(Math.max(ms, requestedWaitMs))
    result = await send()
  }
  return result
}
