import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { costOf } from '../http/limits.ts'
import { slots } from '../members/slots.ts'

/** Bytes of pages that are kept. */
const keptMaxBytes = 32 * 1024 * 1024
/** Pages made at once: each keeps the loop busy for some milliseconds, and the rest of the venue goes in between. */
const madeAtOnce = 2
const waitingMax = 1000

/** An answer as it goes out, and what it costs whoever asks. */
export type Page = { bytes: Buffer; tokens: number }
/** An answer, and whether the same question will have the same answer for ever. */
export type Made = { answer: object; final: boolean }

/** Large public answers: made a few at a time, once for all who ask at once, and kept as bytes if they cannot change. */
export type Pages = {
  /**
   * @param key names the question; everything that the answer depends on
   * @throws what `make` throws, and Refusal 503 if too many pages are waited for
   */
  of(key: string, make: () => Promise<Made>): Promise<Page>
}

export function createPages(maxBytes = keptMaxBytes): Pages {
  const kept = new LRUCache<string, Page>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
  })
  const making = new Map<string, Promise<Page>>()
  const inTurn = slots(madeAtOnce, waitingMax)
  const makeOne = async (key: string, make: () => Promise<Made>): Promise<Page> => {
    await turn()
    const { answer, final } = await make()
    const page = { bytes: Buffer.from(JSON.stringify(answer)), tokens: costOf(answer) }
    if (final) kept.set(key, page)
    return page
  }
  return {
    of: async (key, make) => {
      const known = kept.get(key)
      if (known) return known
      const twin = making.get(key)
      if (twin) return twin
      const page = inTurn(() => makeOne(key, make)).finally(() => making.delete(key))
      making.set(key, page)
      return page
    },
  }
}
