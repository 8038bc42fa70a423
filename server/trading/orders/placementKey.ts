import type { KeyScope } from '../../platform/idempotency/storedAnswers.ts'

/** The request that an order's key belongs to, as answers are stored under it. */
const placementRequest = { method: 'POST', path: '/api/orders' } as const
/** The same as values of a statement, for the columns `method` and `path`. */
export const placementRequestSql = `'${placementRequest.method}', '${placementRequest.path}'`

export const placementScope = (memberId: string, key: string): KeyScope => ({
  ...placementRequest,
  memberId,
  key,
})

/** The key of a request was used before: its first answer is stored, or was until it was pruned. */
export class KeyUsedError extends Error {
  override readonly name = 'KeyUsedError'
}
