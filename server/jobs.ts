import type { Clock } from './ports.ts'

/** A recurring job of the venue. */
export type Job = { name: string; everyMs: number; run: () => Promise<unknown> }

/**
 * Runs jobs on the venue's clock. A job never overlaps itself. A failure is reported and the job runs again next time.
 * @returns stops the jobs and waits for those in progress
 */
export function runJobs(
  clock: Clock,
  jobs: readonly Job[],
  onError: (name: string, error: unknown) => void,
): () => Promise<void> {
  let isStopped = false
  const cancels = new Map<Job, () => void>()
  const running = new Set<Promise<void>>()

  const schedule = (job: Job): void => {
    if (!isStopped)
      cancels.set(
        job,
        clock.at(clock.now() + job.everyMs, () => runOnce(job)),
      )
  }
  const runOnce = async (job: Job): Promise<void> => {
    const execution = job
      .run()
      .then(() => undefined)
      .catch((error: unknown) => onError(job.name, error))
    running.add(execution)
    await execution
    running.delete(execution)
    schedule(job)
  }
  for (const job of jobs) schedule(job)
  return async () => {
    isStopped = true
    for (const cancel of cancels.values()) cancel()
    await Promise.all(running)
  }
}
