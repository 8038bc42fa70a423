import { createLazy } from './lazy.ts'

/**
 * The streams and their wire, loaded in parallel with the first page. The shell renders before they are loaded, and
 * every page waits for them as for its own code.
 */
export const lazyStreams = createLazy(() =>
  import('./startStreams.ts').then((module) => module.startStreams()),
)
