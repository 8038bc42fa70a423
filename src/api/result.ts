import type { Failure } from '../../streams/index.ts'

/** The result of a call: its answer, or why there is none. Calls do not throw. */
export type Result<T> =
  | { ok: true; value: T; /** The answer's `Server-Time`. */ at: number }
  | { ok: false; failure: Failure }

/** The answer of a call for the streams, which expect a thrown {@link Failure}; as an Error it has a stack in a log. */
export async function answerOf<T>(request: Promise<Result<T>>): Promise<T> {
  const result = await request
  if (result.ok) return result.value
  throw Object.assign(new Error(result.failure.kind), result.failure)
}

/** The venue's error code; undefined for any other failure. */
export const errorCodeOf = (result: Result<unknown>): string | undefined =>
  !result.ok && result.failure.kind === 'rejected' ? result.failure.code : undefined

/** How many ms to wait before the next try, if the venue's error says so. */
export function retryAfterMsOf(failure: Failure): number | undefined {
  const wait = failure.kind === 'rejected' ? failure.params['retryAfterMs'] : undefined
  return typeof wait === 'number' ? wait : undefined
}

/** Whether the venue did not answer, or answered with a server error. */
export const isUnreachable = (failure: Failure | undefined): boolean =>
  failure !== undefined && (failure.kind !== 'rejected' || failure.status >= 500)
