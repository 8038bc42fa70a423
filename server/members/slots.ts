import { Refusal } from '../http/refusal.ts'

/** Runs a job when a slot is free. Those that go `first` are started before all others that wait. */
export type Slots = <T>(job: () => Promise<T>, first?: boolean) => Promise<T>

/**
 * Runs at most `running` jobs at once. At most `waiting` more wait of those that go first, and as many of the others:
 * neither kind can fill the other's queue. Any further one is 503 `UNAVAILABLE`.
 */
export function slots(running: number, waiting: number): Slots {
  let free = running
  const ahead: (() => void)[] = []
  const others: (() => void)[] = []
  return async (job, first = false) => {
    const queue = first ? ahead : others
    if (free > 0) free -= 1
    else if (queue.length >= waiting) throw new Refusal(503, 'UNAVAILABLE')
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await job()
    } finally {
      // The slot is handed on as it is, so that nobody can slip in between.
      const next = ahead.shift() ?? others.shift()
      if (next) next()
      else free += 1
    }
  }
}
