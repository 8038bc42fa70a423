/**
 * What nodes send each other while they run. A bus may lose messages: whatever must not be lost is in PostgreSQL, and
 * the receiver reads it there. All nodes of a venue use one subject space; venues that share a server have their own.
 */
export type Bus = {
  /** Sends to every other node, without an answer. A message without a connection is dropped. */
  publish(subject: Subject, message: Uint8Array): void
  /** Prepares a message that may be sent soon. @returns sends it, as `publish` does; messages are sent in the order in which they were prepared, or not at all */
  prepare(subject: Subject, message: Uint8Array): () => void
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
  /** How many received messages were not of this venue's nodes, or not new, by reason. */
  dropped(): Readonly<Record<DropReason, number>>
  /** Sends what is queued, then closes the connection. */
  close(): Promise<void>
}

/**
 * `flush`: a committed row of the tick log. `member`: an event for a member's sockets. `leader-ready`: a node that has begun to
 * lead answers orders.
 */
export type Subject = 'flush' | 'member' | 'session-ended' | 'leader-ready' | 'place-order' | 'await-order'

/**
 * Why a message had no effect. `unopened`: it is not sealed with the venue's key, or for another subject. `repeated`: it was
 * received before. `late`: a request, or the first message of a sender, was sent more than five seconds ago.
 */
export type DropReason = 'unopened' | 'repeated' | 'late'

/** A request had no answer. */
export class BusError extends Error {
  override readonly name = 'BusError'
}

/** Carries bytes between nodes, and does not trust them: anyone who reaches its server can read and send. */
export type Transport = {
  publish(subject: Subject, message: Uint8Array): void
  /** `reply` is there if the message is a request. @returns ends the subscription */
  subscribe(
    subject: Subject,
    listener: (message: Uint8Array, reply: ((answer: Uint8Array) => void) | null) => void,
  ): () => void
  /**
   * The answers to a request, from any node, as they arrive, until `timeoutMs` have passed.
   * @throws BusError without a connection, or if no node receives the request
   */
  request(subject: Subject, message: Uint8Array, timeoutMs: number): AsyncIterable<Uint8Array>
  isConnected(): boolean
  close(): Promise<void>
}
