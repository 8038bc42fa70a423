import type { Observable } from 'rxjs'
import type { FeedEvent } from '../contract/socket.ts'
import type { SeenHead } from './types.ts'

/** One a second: more than the longest order of the product table runs. */
export const seenHeadsMax = 1200

/**
 * Keeps the chain heads and watermarks that the venue announced while this client listened. A proof that comes
 * later is held against them, so that a rewritten past, or a gap claimed afterwards, does not pass.
 */
export function createHeads(feed$: Observable<FeedEvent>): {
  seen: (id: string) => readonly SeenHead[]
  close: () => void
} {
  const kept = new Map<string, SeenHead[]>()
  const listening = feed$.subscribe(({ p }) => {
    for (const [id, { watermark, seq, hash }] of Object.entries(p)) {
      const heads = kept.get(id)
      if (heads === undefined) kept.set(id, [{ seq, hash, watermark }])
      else {
        heads.push({ seq, hash, watermark })
        if (heads.length > seenHeadsMax) heads.splice(0, heads.length - seenHeadsMax)
      }
    }
  })
  return { seen: (id) => kept.get(id) ?? [], close: () => listening.unsubscribe() }
}
