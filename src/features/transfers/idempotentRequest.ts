import { retryAfterMsOf, type Result } from '../../api/result.ts'
import type { Failure } from '../../../streams/index.ts'

/** The delays between attempts of one request: first short, because the member is waiting, then longer. */
export const retryDelaysMs = [1000, 2000, 4000] as const
/** If the venue requires a longer wait than this, the failure is returned to the member. */
const retryWaitMaxMs = 5000

/**
 * Whether the venue may have executed the request without confirming it: the answer was lost, or it does not say the
 * outcome. The request may be sent again with the same key; it never counts twice.
 */
export function isOutcomeUnknown(failure: Failure): boolean {
  if (failure.kind !== 'rejected') return true
  return failure.status >= 500 || failure.status === 429 || failure.code === 'IDEMPOTENCY_IN_FLIGHT'
}

/**
 * Sends one request with its key until there is a definite answer, or no attempts are left. Then the outcome of the
 * last failure is unknown (see {@link isOutcomeUnknown}), and the caller must retain the key.
 * @param pause waits between attempts
 * @param onOutcomeUnknown called after each attempt that leaves the outcome unknown
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
