import { ApiError } from '../apiError.ts'

/** The wait reported to a caller whose queue is full. */
const queueFullRetryMs = 1000

/** Runs jobs of the same key one after another; jobs of different keys do not wait for each other. */
export type KeyedMutex = <T>(key: string, job: () => Promise<T>) => Promise<T>

/** @param waitingMax how many jobs of one key may wait; one more throws `RATE_LIMITED` */
export function createKeyedMutex(waitingMax = Infinity): KeyedMutex {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  return async (key, job) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > waitingMax)
      throw new ApiError('RATE_LIMITED', { params: { retryAfterMs: queueFullRetryMs } })
    const turn = queue.last.then(job, job)
    queue.last = turn
    queue.length += 1
    queues.set(key, queue)
    try {
      return await turn
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(key)
    }
  }
}
