import { Refusal } from '../http/refusal.ts'

/** Runs at most `running` jobs at once and lets at most `waiting` more wait; any further one is 503 `UNAVAILABLE`. */
export function slots(running: number, waiting: number): <T>(job: () => Promise<T>) => Promise<T> {
  let free = running
  const queue: (() => void)[] = []
  return async (job) => {
    if (free > 0) free -= 1
    else if (queue.length >= waiting) throw new Refusal(503, 'UNAVAILABLE')
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await job()
    } finally {
      // The slot is handed on as it is, so that nobody can slip in between.
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
