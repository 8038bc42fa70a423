/** Work under way, so that a stop can wait for it. */
export class TaskTracker {
  readonly #tasks = new Set<Promise<void>>()

  get isBusy(): boolean {
    return this.#tasks.size > 0
  }

  /** Takes a job on; it must handle its own failures. */
  add(task: Promise<void>): Promise<void> {
    const tracked = task.finally(() => this.#tasks.delete(tracked))
    this.#tasks.add(tracked)
    return tracked
  }

  /** Resolves when nothing is under way, what was taken on meanwhile included. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#tasks)
  }
}
