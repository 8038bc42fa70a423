/** Tracks tasks in progress, so that a stop can wait for them. */
export class TaskTracker {
  readonly #tasks = new Set<Promise<void>>()

  get isBusy(): boolean {
    return this.#tasks.size > 0
  }

  /** Tracks a task; it must handle its own failures. */
  add(task: Promise<void>): Promise<void> {
    const tracked = task.finally(() => this.#tasks.delete(tracked))
    this.#tasks.add(tracked)
    return tracked
  }

  /** Resolves when no task is in progress, including those added while waiting. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#tasks)
  }
}
