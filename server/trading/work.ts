/** Work under way, so that a stop can wait for it. */
export class Work {
  readonly #jobs = new Set<Promise<void>>()

  get busy(): boolean {
    return this.#jobs.size > 0
  }

  /** Takes a job on; it must handle its own failures. */
  add(job: Promise<void>): Promise<void> {
    const tracked = job.finally(() => this.#jobs.delete(tracked))
    this.#jobs.add(tracked)
    return tracked
  }

  /** Resolves when nothing is under way, what was taken on meanwhile included. */
  async idle(): Promise<void> {
    while (this.busy) await Promise.all(this.#jobs)
  }
}
