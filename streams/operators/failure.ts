import type { Failure } from '../types.ts'

const kinds: ReadonlySet<unknown> = new Set(['rejected', 'timeout', 'offline', 'broken'])

/** The failure of a call of {@link Api}; any other error counts as a broken answer. */
export function failureOf(error: unknown): Failure {
  const known = typeof error === 'object' && error !== null && 'kind' in error && kinds.has(error.kind)
  return known ? (error as Failure) : { kind: 'broken' }
}

/** Whether the same call may succeed a moment later. */
export function isTransient(failure: Failure): boolean {
  return failure.kind !== 'rejected' || failure.status === 429 || failure.status >= 500
}
