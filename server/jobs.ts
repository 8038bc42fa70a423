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
  const underWay = new Set<Promise<void>>()

  const arm = (job: Job): void => {
    if (!stopped)
      cancels.set(
        job,
        clock.at(clock.now() + job.everyMs, () => once(job)),
      )
  }
  const once = async (job: Job): Promise<void> => {
    const work = job
      .run()
      .then(() => undefined)
      .catch((error: unknown) => onError(job.name, error))
    underWay.add(work)
    await work
    underWay.delete(work)
    arm(job)
  }
  for (const job of jobs) arm(job)
  return async () => {
    stopped = true
    for (const cancel of cancels.values()) cancel()
    await Promise.all(underWay)
  }
}
