import { createResource } from './resource/resource.ts'

/**
 * The streams and their wire, loaded in parallel with the first page. The shell renders before they are loaded, and
 * every page waits for them as for its own code.
 */
export const streamsResource = createResource(() =>
  import('./startStreams.ts').then((module) => module.startStreams()),
)
