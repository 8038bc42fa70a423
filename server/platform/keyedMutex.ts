import { ApiError } from './apiError.ts'
import { createSemaphore, type Semaphore, type WaitingMax } from './semaphore.ts'

/** The wait reported to a caller whose queue is full. */
const queueFullRetryMs = 1000
const queueFull = () => new ApiError('RATE_LIMITED', { params: { retryAfterMs: queueFullRetryMs } })

/**
 * Runs jobs of the same key one after another; jobs of different keys do not wait for each other. The owners of a key's
 * jobs take turns.
 */
export type KeyedMutex = <T>(key: string, job: () => Promise<T>, owner?: string) => Promise<T>

/** @param waitingMax how many jobs of one key may wait; one more throws `RATE_LIMITED` */
export function createKeyedMutex(waitingMax: WaitingMax = { queueMax: Infinity }): KeyedMutex {
  const lines = new Map<string, { inTurn: Semaphore; length: number }>()
  return async (key, job, owner) => {
    const line = lines.get(key) ?? { inTurn: createSemaphore(1, waitingMax, queueFull), length: 0 }
    line.length += 1
    lines.set(key, line)
    try {
      return await line.inTurn(job, { owner })
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(key)
    }
  }
}
