import type { EndedOrder } from '../../../streams/index.ts'

/**
 * Orders that end within this time of the first, ms, are reported together: by the page that shows them, or by a toast.
 */
export const togetherMs = 1000

/**
 * Those that are reported together with the newest.
 * @param results newest first, as the answer
 */
export function newestTogether(results: readonly EndedOrder[]): readonly EndedOrder[] {
  let together: EndedOrder[] = []
  for (const ended of [...results].reverse()) {
    const [first] = together
    const isNext = first !== undefined && ended.noticedAt - first.noticedAt < togetherMs
    together = isNext ? [...together, ended] : [ended]
  }
  return together.reverse()
}
