/** Messages from the page to the worker. */
export type WorkerMessage =
  /** Activate now: the member wants the new version. */
  | { kind: 'activate' }
  /** The app is shown in this language: the cached page must be too, or it would be hidden when the app starts offline. */
  | { kind: 'language'; language: string }
  /** The app is idle: cache the rest. `used` are the files that this visit fetched. */
  | { kind: 'fill'; used: readonly string[] }
  /** Whether `script`, which runs the page, is of the worker's build; answered with a boolean through the port. */
  | { kind: 'serves'; script: string }
  /** The member clears the app's data: delete the caches and cache nothing more; answered through the port when done. */
  | { kind: 'clear' }
