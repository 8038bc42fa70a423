import { ApiError } from '../apiError.ts'

/** Runs a job when a slot is free. Those that go `first` are started before all others that wait. */
export type Semaphore = <T>(job: () => Promise<T>, first?: boolean) => Promise<T>

/**
 * Runs at most `running` jobs at once. At most `waiting` more wait of those that go first, and as many of the others:
 * neither kind can fill the other's queue. Any further one is 503 `UNAVAILABLE`.
 */
export function createSemaphore(permits: number, queueMax: number): Semaphore {
  let free = permits
  const priorityQueue: (() => void)[] = []
  const normalQueue: (() => void)[] = []
  return async (job, hasPriority = false) => {
    const queue = hasPriority ? priorityQueue : normalQueue
    if (free > 0) free -= 1
    else if (queue.length >= queueMax) throw new ApiError(503, 'UNAVAILABLE')
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await job()
    } finally {
      // The slot is handed on as it is, so that nobody can slip in between.
      const next = priorityQueue.shift() ?? normalQueue.shift()
      if (next) next()
      else free += 1
    }
  }
}
