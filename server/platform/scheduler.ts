import type { Clock } from './ports.ts'

/** Recurring work. */
export type Task = {
  /** The message of the report if a run fails. */
  failure: string
  /** Returns how many milliseconds later it runs again. */
  run(): number | Promise<number>
  /** How many milliseconds after a failed run it runs again. */
  retryMs: number
  /** When it first runs, in milliseconds from now; without it, it waits for `runNow` or `runIn`. */
  firstMs?: number
}

export type ScheduledTask = {
  /** Runs it now, and resolves when that run ends. */
  runNow(): Promise<void>
  /** Runs it after `ms`, instead of when it would run next. */
  runIn(ms: number): void
}

/** Recurring work on a clock. A task never overlaps itself, and a failed run is reported and tried again. */
export type Scheduler = {
  add(task: Task): ScheduledTask
  /** Cancels what is scheduled, and waits for the runs in progress. */
  stop(): Promise<void>
}

export function createScheduler(clock: Clock, report: (message: string, error: unknown) => void): Scheduler {
  const cancels = new Map<Task, () => void>()
  const running = new Map<Task, Promise<void>>()
  let isStopped = false

  const runIn = (task: Task, ms: number): void => {
    cancels.get(task)?.()
    if (isStopped) return
    cancels.set(
      task,
      clock.at(clock.now() + ms, () => runNow(task)),
    )
  }
  /** Returns how many milliseconds later it runs again. */
  const runOnce = async (task: Task): Promise<number> => {
    try {
      return await task.run()
    } catch (error) {
      report(task.failure, error)
      return task.retryMs
    }
  }
  const runNow = (task: Task): Promise<void> => {
    const current = running.get(task)
    if (current !== undefined || isStopped) return current ?? Promise.resolve()
    const run = runOnce(task).then((waitMs) => {
      // In one turn: a next run that is due at once must not find this one.
      running.delete(task)
      return runIn(task, waitMs)
    })
    running.set(task, run)
    return run
  }
  return {
    add: (task) => {
      if (task.firstMs !== undefined) runIn(task, task.firstMs)
      return { runNow: () => runNow(task), runIn: (ms) => runIn(task, ms) }
    },
    stop: async () => {
      isStopped = true
      for (const cancel of cancels.values()) cancel()
      await Promise.all(running.values())
    },
  }
}
