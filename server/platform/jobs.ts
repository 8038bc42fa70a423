import { secondMs } from '../../contract/time.ts'
import type { Clock, Cluster } from './ports.ts'
import { createScheduler } from './scheduler.ts'

/** A job that runs again and again, `everyMs` after its last run: at the leader, or at every node. */
export type Job = { name: string; everyMs: number; run: () => Promise<unknown>; onEveryNode?: boolean }

/** Within this time a node follows what another one has changed. */
const rereadEveryMs = secondMs

/** The job that reads again what other nodes change and this one has in memory; none if there are no other nodes. */
export const rereadJobs = (cluster: Cluster | null, name: string, run: Job['run']): Job[] =>
  cluster === null ? [] : [{ name, everyMs: rereadEveryMs, run, onEveryNode: true }]

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
