import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { answerCost } from '../http/rateLimiter.ts'
import { createSemaphore } from '../members/semaphore.ts'

/** Bytes of pages that are kept. */
const cacheMaxBytes = 32 * 1024 * 1024
/** Pages made at once: each keeps the loop busy for some milliseconds, and the rest of the venue goes in between. */
const buildConcurrency = 2
const queueMax = 1000

/** An answer as it goes out, and what it costs whoever asks. */
export type CachedResponse = { bytes: Buffer; tokens: number }
/** An answer, and whether the same question will have the same answer for ever. */
export type BuiltResponse = { answer: object; final: boolean }

/** Large public answers: made a few at a time, once for all who ask at once, and kept as bytes if they cannot change. */
export type ResponseCache = {
  /**
   * @param key names the question; everything that the answer depends on
   * @throws what `make` throws, and Refusal 503 if too many pages are waited for
   */
  get(key: string, build: () => Promise<BuiltResponse>): Promise<CachedResponse>
}

export function createResponseCache(maxBytes = cacheMaxBytes): ResponseCache {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
  })
  const inProgress = new Map<string, Promise<CachedResponse>>()
  const enqueue = createSemaphore(buildConcurrency, queueMax)
  const buildOne = async (key: string, build: () => Promise<BuiltResponse>): Promise<CachedResponse> => {
    await yieldToEventLoop()
    const { answer, final } = await build()
    const response = { bytes: Buffer.from(JSON.stringify(answer)), tokens: answerCost(answer) }
    if (final) cache.set(key, response)
    return response
  }
  return {
    get: async (key, build) => {
      const cached = cache.get(key)
      if (cached) return cached
      const duplicate = inProgress.get(key)
      if (duplicate) return duplicate
      const response = enqueue(() => buildOne(key, build)).finally(() => inProgress.delete(key))
      inProgress.set(key, response)
      return response
    },
  }
}
