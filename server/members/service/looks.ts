import { lookMs } from '../../notices/index.ts'
import type { Clock } from '../../platform/ports.ts'

const looksMax = 10_000

/** Which member of staff looks at the newest page of which thread, which an open one reads every few seconds. Of this process: a look at another node has a row of its own. */
export function createLooks({ now }: Pick<Clock, 'now'>) {
  const since = new Map<string, number>()
  return {
    /** Whether a look has a row that is not too old. */
    isCovered: (actor: string, memberId: string): boolean => {
      const at = since.get(keyOf(actor, memberId))
      return at !== undefined && now() - at < lookMs
    },
    /** From now on each view has a row. The oldest entries are dropped. */
    cover: (actor: string, memberId: string): void => {
      since.delete(keyOf(actor, memberId))
      since.set(keyOf(actor, memberId), now())
      for (const key of since.keys()) {
        if (since.size <= looksMax) break
        since.delete(key)
      }
    },
  }
}

const keyOf = (actor: string, memberId: string): string => JSON.stringify([actor, memberId])
