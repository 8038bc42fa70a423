import { createResource } from './shell/resource.ts'

/**
 * The streams and the wire under them, fetched beside the first page: the shell is painted before they are here,
 * and every page waits for them as it waits for its own code.
 */
export const streamsResource = createResource(() =>
  import('./startStreams.ts').then((module) => module.startStreams()),
)
