import { waitOf } from '../../api/result.ts'
import type { Result } from '../../api/result.ts'
import type { Failure } from '../../../streams/index.ts'

/** Between two tries of one request, in ms: short, because the member is waiting, and then longer. */
export const retryAfterMs = [1000, 2000, 4000] as const
/** A venue that asks for more patience than this is told to the member. */
const patienceMaxMs = 5000

/**
 * Whether the venue may have done what was asked although no answer says so: the answer was lost on its way, or
 * it says only that the venue could not tell. The same key may be sent again; it never counts twice.
 */
export function isOpen(failure: Failure): boolean {
  if (failure.kind !== 'refused') return true
  return failure.status >= 500 || failure.status === 429 || failure.code === 'IDEMPOTENCY_IN_FLIGHT'
}

/**
 * Sends one request with its key until there is a definite answer, or the tries are used up: then its last
 * failure is an open one (see {@link isOpen}) and the caller keeps the key.
 * @param pause waits between tries
 * @param onOpen told after each try that left the outcome open
 */
export async function sendKeyed<T>(
  send: () => Promise<Result<T>>,
  pause: (ms: number) => Promise<void>,
  onOpen: () => void,
): Promise<Result<T>> {
  let result = await send()
  for (const ms of retryAfterMs) {
    if (result.ok || !isOpen(result.failure)) return result
    onOpen()
    const asked = waitOf(result.failure) ?? 0
    if (asked > patienceMaxMs) return result
    await pause(Math.max(ms, asked))
    result = await send()
  }
  return result
}
