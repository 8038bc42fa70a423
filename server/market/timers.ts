import type { Clock } from '../ports.ts'

/** After a failure a standing job waits this long, so that a broken database is not hammered. */
const retryDelayMs = 1000

/** Standing jobs on the venue's clock: each runs, says when it wants to run again, and never overlaps itself. */
export class Timers {
  readonly #clock: Clock
  readonly #report: (what: string, error: unknown) => void
  readonly #cancels = new Map<string, () => void>()
  readonly #running = new Set<Promise<void>>()
  #stopped = false

  constructor(clock: Clock, report: (what: string, error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  /** `run` answers how many milliseconds from now it wants its next turn; `what` says what failed if it throws. */
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
      if (this.#stopped) return
      const cancel = this.#clock.at(this.#clock.now() + waitMs, () => {
        const running: Promise<void> = runOnce().finally(() => this.#running.delete(running))
        this.#running.add(running)
        return running
      })
      this.#cancels.set(what, cancel)
    }
    schedule(firstMs)
  }

  /** Cancels what waits, and waits for what runs. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const cancel of this.#cancels.values()) cancel()
    await Promise.all(this.#running)
  }
}
