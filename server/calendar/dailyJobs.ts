import { addDays } from '../../contract/time.ts'
import type { BusinessDay } from '../../contract/time.ts'
import type { BusinessClock } from './businessClock.ts'
import type { WithinTransaction } from '../db/database.ts'
import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

/** Work of every business day. `run` does what is still missing up to the start of `today`, each day once, in order. */
export type DailyJob = { module: string; run(today: BusinessDay): Promise<void> }

export type DailyJobs = {
  /** Catches up what was missed while the venue was down, then goes on at each 00:00. */
  start(): Promise<void>
  /**
   * Moves the business calendar on, one midnight after the other with the jobs of each, and returns when they are
   * done. Practice mode only: 403 `PRACTICE_ONLY` else. `within` runs in the transaction of the first move.
   */
  advance(ms: number, within?: WithinTransaction): Promise<void>
  /** Lets a run in progress end, then starts no other. */
  stop(): Promise<void>
}

export type DailyJobsParts = {
  clock: Clock
  business: BusinessClock
  jobs: readonly DailyJob[]
  practice: boolean
  /** A run failed; it is tried again a minute later. */
  onError: (module: string, error: unknown) => void
}

const retryMs = 60_000
/** A slip of the hand at the desk must not cost centuries: the calendar cannot be moved back. */
const advanceMaxMs = 400 * 86_400_000

export function createDailyJobs(parts: DailyJobsParts): DailyJobs {
  const { clock, business, jobs, practice, onError } = parts
  let cancel = (): void => undefined
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false

  /** One run at a time: an advance waits for the midnight in progress, and the other way round. */
  const runExclusive = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = running.then(run, run)
    running = turn.catch(() => undefined)
    return turn
  }
  const catchUp = async (): Promise<void> => {
    const today = business.today()
    for (const job of jobs) await job.run(today)
  }
  const schedule = (instant: number): void => {
    cancel()
    if (!stopped) cancel = clock.at(instant, runDue)
  }
  const scheduleMidnight = (): void => schedule(business.startOf(addDays(business.today(), 1)))
  const runDue = (): Promise<void> =>
    runExclusive(async () => {
      if (stopped) return
      try {
        await business.reload()
        await catchUp()
        scheduleMidnight()
      } catch (error) {
        onError('jobs', error)
        schedule(clock.now() + retryMs)
      }
    })

  return {
    start: runDue,
    advance: (ms, within) =>
      runExclusive(async () => {
        if (!practice) throw new ApiError(403, 'PRACTICE_ONLY')
        if (!Number.isSafeInteger(ms) || ms <= 0 || ms > advanceMaxMs) {
          throw new ApiError(400, 'VALIDATION', { fields: { advance: 'INVALID' } })
        }
        const target = business.offsetMs() + ms
        let first = within
        const moveTo = async (offsetMs: number): Promise<void> => {
          await business.setOffset(offsetMs, first)
          first = undefined
          await catchUp()
        }
        try {
          for (let next = offsetAtMidnight(); next < target; next = offsetAtMidnight()) {
            await moveTo(next)
          }
          await moveTo(target)
        } finally {
          scheduleMidnight()
        }
      }),
    stop: () => {
      stopped = true
      cancel()
      return running.then(() => undefined)
    },
  }

  /** The offset at which the business calendar stands at the next 00:00. */
  function offsetAtMidnight(): number {
    return business.offsetMs() + business.startOf(addDays(business.today(), 1)) - clock.now()
  }
}
