import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { answerCost } from './rateLimiter.ts'
import { createSemaphore } from '../semaphore.ts'

/** Total bytes of cached responses. */
const cacheMaxBytes = 32 * 1024 * 1024
/** Concurrent builds: each blocks the event loop for some milliseconds, and other work must run in between. */
const buildConcurrency = 2
const queueMax = 1000

/** A response body, and its cost in rate limit tokens. */
export type CachedResponse = { bytes: Buffer; tokens: number }
/** A response, and whether it can never change. */
export type BuiltResponse = CachedResponse & { final: boolean }

/**
 * Large public answers: built a few at a time, once for all concurrent requests, and cached as bytes if they cannot
 * change.
 */
export type ResponseCache = {
  /**
   * @param key identifies the request: everything that the answer depends on
   * @throws the error of `build`, and ApiError `UNAVAILABLE` if the queue is full
   */
  get(key: string, build: () => Promise<BuiltResponse>): Promise<CachedResponse>
}

/** An answer as JSON. */
export const jsonResponse = (answer: object, final: boolean): BuiltResponse => ({
  bytes: Buffer.from(JSON.stringify(answer)),
  tokens: answerCost(answer),
  final,
})

/** @param keptMs how long a final response is kept at most; for ever if left out */
export function createResponseCache(maxBytes = cacheMaxBytes, keptMs = 0): ResponseCache {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    ttl: keptMs,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
  })
  const inProgress = new Map<string, Promise<CachedResponse>>()
  const enqueue = createSemaphore(buildConcurrency, { queueMax })
  const buildOne = async (key: string, build: () => Promise<BuiltResponse>): Promise<CachedResponse> => {
    await yieldToEventLoop()
    const { final, ...response } = await build()
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
