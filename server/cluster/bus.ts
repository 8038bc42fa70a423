/**
 * What nodes send each other while they run. A bus may lose messages: whatever must not be lost is in PostgreSQL, and
 * the receiver reads it there. All nodes of a venue use one subject space; venues that share a server have their own.
 */
export type Bus = {
  /** Sends to every other node, and forgets. A message without a connection is dropped. */
  publish(subject: Subject, message: Uint8Array): void
  /** @returns ends the subscription */
  subscribe(subject: Subject, listener: (message: Uint8Array) => void): () => void
  /**
   * Sends a request to the one node that answers this subject.
   * @throws BusError if no node answers, or not in time: whether the request was carried out is unknown
   */
  request(subject: Subject, message: Uint8Array, timeoutMs: number): Promise<Uint8Array>
  /** Answers requests. An answer that rejects is not sent. @returns ends it */
  respond(subject: Subject, answer: (message: Uint8Array) => Promise<Uint8Array>): () => void
  isConnected(): boolean
  /** Sends what is queued, then closes the connection. */
  close(): Promise<void>
}

/** `flush`: a committed row of the tick log. `member`: an event for a member's sockets. */
export type Subject = 'flush' | 'member' | 'session-ended' | 'place-order' | 'await-order'

/** A request had no answer. */
export class BusError extends Error {
  override readonly name = 'BusError'
  /** Whether no node received the request, so that it was certainly not carried out. */
  readonly isUndelivered: boolean
  constructor(message: string, isUndelivered: boolean) {
    super(message)
    this.isUndelivered = isUndelivered
  }
}
