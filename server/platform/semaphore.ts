import { ApiError } from './apiError.ts'

/** Jobs without an owner share one. Jobs with priority start before all others that wait. */
export type Turn = { owner?: string | undefined; hasPriority?: boolean }
/** Runs a job when a permit is free and it is its owner's turn. */
export type Semaphore = <T>(job: () => Promise<T>, turn?: Turn) => Promise<T>

export type WaitingMax = {
  /** Of all owners together. */
  queueMax: number
  /** Of one owner; by default as many as of all. */
  ownMax?: number
}
type Waiting = { begin: () => void; refuse: (error: ApiError) => void }

/**
 * Runs at most `permits` jobs at once; owners take turns. `waitingMax` holds for jobs with priority and for the others, each
 * on its own: neither kind can fill the other's queue. If a queue is full, the newest job of the owner with the most gives way to one of an owner
 * with fewer. What does not wait throws `UNAVAILABLE`, or what `full` makes.
 */
export function createSemaphore(
  permits: number,
  waitingMax: WaitingMax,
  full = () => new ApiError('UNAVAILABLE'),
): Semaphore {
  let free = permits
  const priorityQueue = createFairQueue(waitingMax, full)
  const normalQueue = createFairQueue(waitingMax, full)
  return async (job, { owner = '', hasPriority = false } = {}) => {
    const queue = hasPriority ? priorityQueue : normalQueue
    if (free > 0) free -= 1
    else await new Promise<void>((begin, refuse) => queue.add(owner, { begin, refuse }))
    try {
      return await job()
    } finally {
      // The permit passes directly to the next job, so that no new job can take it in between.
      const next = priorityQueue.next() ?? normalQueue.next()
      if (next) next.begin()
      else free += 1
    }
  }
}

function createFairQueue({ queueMax, ownMax = queueMax }: WaitingMax, full: () => ApiError) {
  let length = 0
  /** By owner, in the order of their turns. */
  const queues = new Map<string, Waiting[]>()
  /** @returns whether another owner has so many more that one of its jobs gave way */
  const dropOne = (ownCount: number): boolean => {
    const most = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    if (most.length < ownCount + 2) return false
    most.pop()?.refuse(full())
    length -= 1
    return true
  }
  return {
    add: (owner: string, job: Waiting): void => {
      const own = queues.get(owner) ?? []
      if (own.length >= ownMax || (length >= queueMax && !dropOne(own.length))) throw full()
      own.push(job)
      queues.set(owner, own)
      length += 1
    },
    next: (): Waiting | undefined => {
      const [turn] = queues
      if (!turn) return undefined
      const [owner, own] = turn
      const job = own.shift()
      queues.delete(owner)
      if (own.length > 0) queues.set(owner, own)
      length -= 1
      return job
    },
  }
}
