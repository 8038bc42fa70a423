import type { Clock } from './ports.ts'
import { createScheduler } from './scheduler.ts'

/** A job that runs again and again, `everyMs` after its last run: at the leader, or at every node. */
export type Job = { name: string; everyMs: number; run: () => Promise<unknown>; onEveryNode?: boolean }

/**
 * Runs jobs on a clock, each for the first time after its interval. A failure is reported and the job runs again.
 * @returns stops the jobs and waits for those in progress
 */
export function runJobs(
  clock: Clock,
  jobs: readonly Job[],
  report: (message: string, error: unknown) => void,
): () => Promise<void> {
  const scheduler = createScheduler(clock, report)
  for (const { name, everyMs, run } of jobs) {
    const runAndWait = async (): Promise<number> => {
      await run()
      return everyMs
    }
    scheduler.add({ failure: `${name}: failed`, run: runAndWait, firstMs: everyMs, retryMs: everyMs })
  }
  return () => scheduler.stop()
}
