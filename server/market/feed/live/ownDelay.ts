/** What arrived while the process was late may be read this much later, ms. */
const keptMs = 1000

/** How late this process runs, by a timer that is due now and then: a message may have waited as long to be read. */
export class OwnDelay {
  #dueAt = Number.POSITIVE_INFINITY
  #ms = 0
  #until = 0

  expect(dueAt: number): void {
    this.#dueAt = dueAt
  }

  /** The timer has fired. */
  record(now: number): void {
    const ms = Math.max(0, now - this.#dueAt)
    this.#dueAt = Number.POSITIVE_INFINITY
    if (ms < this.#ms && now < this.#until) return
    this.#ms = ms
    this.#until = now + keptMs
  }

  /** ms; also while the timer is overdue, because messages keep the process busy. */
  at(now: number): number {
    return Math.max(now < this.#until ? this.#ms : 0, now - this.#dueAt)
  }
}
