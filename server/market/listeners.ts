/** A set of listeners. One that throws is reported and does not stop the others. */
export class Listeners<Args extends unknown[]> {
  readonly #all = new Set<(...args: Args) => void>()
  readonly #failed: string
  readonly #report: (what: string, error: unknown) => void

  /** @param failed the text of the report if a listener throws */
  constructor(failed: string, report: (what: string, error: unknown) => void) {
    this.#failed = failed
    this.#report = report
  }

  /** @returns removes the listener */
  add(listener: (...args: Args) => void): () => void {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  notify(...args: Args): void {
    for (const listener of this.#all) {
      try {
        listener(...args)
      } catch (error) {
        this.#report(this.#failed, error)
      }
    }
  }
}
