import { addDays, dayMs, minuteMs, type BusinessDay } from '../../../contract/time.ts'
import type { BusinessClock } from './businessClock.ts'
import type { WithinTransaction } from '../../platform/db/database.ts'
import { asCalls } from '../../platform/db/roles/roleContext.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Clock, Report } from '../../platform/ports.ts'
import { createScheduler } from '../../platform/scheduler.ts'
import type { MoneySettings } from '../settings.ts'

/** A job for every business day. `run` does the days that are missing before `today`, each once, in order. */
export type DailyJob = { module: string; run(today: BusinessDay): Promise<void> }

export type DailyJobs = {
  /** Runs the days that were missed while the venue was down, then runs at each 00:00. */
  start(): Promise<void>
  /**
   * Advances the business calendar midnight by midnight, runs the jobs of each day, and resolves when they are done.
   * `within` runs in the transaction of the first step.
   * @throws ApiError `PRACTICE_ONLY` in live mode
   */
  advance(ms: number, within?: WithinTransaction): Promise<void>
  /** Waits for a run in progress and starts no other. */
  stop(): Promise<void>
}

export type DailyJobsParts = {
  clock: Clock
  business: BusinessClock
  jobs: readonly DailyJob[]
  settings: Pick<MoneySettings, 'mode'>
  /** Reports a failed run; it is tried again a minute later. */
  report: Report
}

const retryMs = minuteMs
/** Limits the damage of a typing error in the office: the calendar cannot be moved back. */
const advanceMaxMs = 400 * dayMs

export function createDailyJobs(parts: DailyJobsParts): DailyJobs {
  const { clock, business, jobs, settings, report } = parts
  const scheduler = createScheduler(clock, report)
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false

  /** One run at a time: an advance waits for a midnight run in progress, and the other way round. */
  const runExclusive = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = running.then(run, run)
    running = turn.catch(() => undefined)
    return turn
  }
  // Not as the office, also where that moves the calendar.
  const catchUp = (): Promise<void> =>
    asCalls(async () => {
      const today = business.today()
      for (const job of jobs) await job.run(today)
    })
  const msUntilMidnight = (): number => business.startOf(addDays(business.today(), 1)) - clock.now()
  const dayChange = scheduler.add({
    failure: 'the business day of jobs failed',
    retryMs,
    run: () =>
      runExclusive(async () => {
        if (isStopped) return retryMs
        await business.reload()
        await catchUp()
        return msUntilMidnight()
      }),
  })

  // Another node may have moved the calendar: the next midnight is sooner than planned.
  let isStarted = false
  business.onOffset(() => {
    if (isStarted) dayChange.runIn(msUntilMidnight())
  })

  return {
    start: () => {
      isStarted = true
      return dayChange.runNow()
    },
    advance: (ms, within) =>
      runExclusive(async () => {
        if (settings.mode !== 'practice') throw new ApiError('PRACTICE_ONLY')
        if (!Number.isSafeInteger(ms) || ms <= 0 || ms > advanceMaxMs) {
          throw new ApiError('VALIDATION', { fields: { advance: 'INVALID' } })
        }
        const target = business.offsetMs() + ms
        let withinFirst = within
        const moveTo = async (offsetMs: number): Promise<void> => {
          await business.setOffset(offsetMs, withinFirst)
          withinFirst = undefined
          await catchUp()
        }
        try {
          const offsetAtMidnight = (): number => business.offsetMs() + msUntilMidnight()
          for (let next = offsetAtMidnight(); next < target; next = offsetAtMidnight()) await moveTo(next)
          await moveTo(target)
        } finally {
          dayChange.runIn(msUntilMidnight())
        }
      }),
    stop: async () => {
      isStopped = true
      await scheduler.stop()
      await running
    },
  }
}
