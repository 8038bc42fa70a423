import type { Clock } from './ports.ts'

/** Something the venue does again and again by itself. */
export type Job = { name: string; everyMs: number; run: () => Promise<unknown> }

/**
 * Runs jobs on the venue's clock, each one never twice at a time. A failure is told and the job comes round again.
 * The answer stops them and waits for those under way.
 */
export function runJobs(
  clock: Clock,
  jobs: readonly Job[],
  onError: (name: string, error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  const cancels = new Map<Job, () => void>()
  const running = new Set<Promise<void>>()

  const schedule = (job: Job): void => {
    if (!stopped)
      cancels.set(
        job,
        clock.at(clock.now() + job.everyMs, () => runOnce(job)),
      )
  }
  const runOnce = async (job: Job): Promise<void> => {
    const work = job
      .run()
      .then(() => undefined)
      .catch((error: unknown) => onError(job.name, error))
    running.add(work)
    await work
    running.delete(work)
    schedule(job)
  }
  for (const job of jobs) schedule(job)
  return async () => {
    stopped = true
    for (const cancel of cancels.values()) cancel()
    await Promise.all(running)
  }
}
