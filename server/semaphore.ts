import { ApiError } from './apiError.ts'

/** Runs a job when a permit is free. Jobs with priority start before all others that wait. */
export type Semaphore = <T>(job: () => Promise<T>, hasPriority?: boolean) => Promise<T>

/**
 * Runs at most `permits` jobs at once. Up to `queueMax` jobs with priority may wait, and as many without: neither kind
 * can fill the other's queue. Any further job throws `UNAVAILABLE`.
 */
export function createSemaphore(permits: number, queueMax: number): Semaphore {
  let free = permits
  const priorityQueue: (() => void)[] = []
  const normalQueue: (() => void)[] = []
  return async (job, hasPriority = false) => {
    const queue = hasPriority ? priorityQueue : normalQueue
    if (free > 0) free -= 1
    else if (queue.length >= queueMax) throw new ApiError('UNAVAILABLE')
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await job()
    } finally {
      // The permit passes directly to the next job, so that no new job can take it in between.
      const next = priorityQueue.shift() ?? normalQueue.shift()
      if (next) next()
      else free += 1
    }
  }
}
