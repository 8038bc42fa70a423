import type { EndedOrder } from '../../../streams/index.ts'

/**
 * Orders that end within this time of the first, ms, are reported together: by the page that shows them, or by a toast.
 */
export const togetherMs = 1000

/**
 * Those that are reported together with the newest: each came while the one before it was new.
 * @param results newest first, as the answer
 * @param newMs how long a result is new
 */
export function newestTogether(results: readonly EndedOrder[], newMs: number): readonly EndedOrder[] {
  const end = results.findIndex(({ noticedAt }, i) => {
    const before = results[i + 1]
    return before === undefined || noticedAt - before.noticedAt >= newMs
  })
  return results.slice(0, end + 1)
}
