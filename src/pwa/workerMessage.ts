/** What the page tells the worker. */
export type WorkerMessage =
  /** Take over now: the member wants the new version. */
  | { kind: 'activate' }
  /** The app stands idle: keep the rest. `used` are the files that this visit fetched. */
  | { kind: 'fill'; used: readonly string[] }
  /** Is `script`, which runs the page, of your build? Answered with a boolean through the port. */
  | { kind: 'serves'; script: string }
