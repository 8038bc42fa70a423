import type { Clock } from '../ports.ts'

/** Delay after a failed run, so that a broken database is not hammered. */
const retryDelayMs = 1000

/** Recurring jobs on the venue's clock. Each run returns the delay until the next one; a job never overlaps itself. */
export class Timers {
  readonly #clock: Clock
  readonly #report: (what: string, error: unknown) => void
  readonly #cancels = new Map<string, () => void>()
  readonly #running = new Set<Promise<void>>()
  #isStopped = false

  constructor(clock: Clock, report: (what: string, error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  /**
   * @param what the text of the report if `run` throws
   * @param run returns the milliseconds until its next run
   */
  every(what: string, run: () => Promise<number>, firstMs = 0): void {
    const runOnce = async (): Promise<void> => {
      let waitMs = retryDelayMs
      try {
        waitMs = await run()
      } catch (error) {
        this.#report(what, error)
      }
      schedule(waitMs)
    }
    const schedule = (waitMs: number): void => {
      if (this.#isStopped) return
      const cancel = this.#clock.at(this.#clock.now() + waitMs, () => {
        const running: Promise<void> = runOnce().finally(() => this.#running.delete(running))
        this.#running.add(running)
        return running
      })
      this.#cancels.set(what, cancel)
    }
    schedule(firstMs)
  }

  /** Cancels the scheduled runs and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#cancels.values()) cancel()
    await Promise.all(this.#running)
  }
}
