/** To the observer: which edges to watch, and when to measure. */
export type ToObserver =
  | { kind: 'watch'; urls: readonly string[]; product: string }
  | { kind: 'begin' | 'end' }
/** From the observer. */
export type FromObserver =
  | { kind: 'listening'; port: number }
  | { kind: 'watching' }
  | {
      kind: 'measured'
      /** From a commit until an edge has sent the flush to a socket, ms. */
      delaysMs: number[]
    }
