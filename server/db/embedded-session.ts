import { assertNever } from '../../contract/brand.ts'
import { FrontendFrames } from './frontend-frames.ts'
import type { FrontendBatch } from './frontend-frames.ts'

/** The one thing a session needs of the embedded database: answer a batch of wire bytes. */
export interface WireEngine {
  exec(message: Uint8Array): Uint8Array
}

const noTls = Uint8Array.of('N'.charCodeAt(0))

/**
 * Lets pg's connections talk to the one-connection engine. The newest connection owns the engine: an older one that
 * broke off is rolled back first, whatever it was in the middle of, and may not speak any more.
 */
export class EmbeddedSessions {
  readonly #engine: WireEngine
  #owner: EmbeddedSession | null = null
  #closed = false

  constructor(engine: WireEngine) {
    this.#engine = engine
  }

  open(): EmbeddedSession {
    return new EmbeddedSession(this)
  }

  /** Runs a batch for `session` and returns the answer's bytes; null when it no longer owns the engine. */
  run(session: EmbeddedSession, batch: FrontendBatch): Uint8Array | null {
    if (this.#closed) return null
    switch (batch.kind) {
      case 'ssl':
        return noTls
      case 'cancel':
        return null
      case 'startup':
        if (this.#owner !== null) this.end(this.#owner)
        this.#owner = session
        return this.#engine.exec(batch.bytes)
      case 'messages':
        return session === this.#owner ? this.#engine.exec(batch.bytes) : null
      case 'terminate':
        this.end(session)
        return null
      default:
        return assertNever(batch)
    }
  }

  /** Forgets a connection: no open transaction, prepared statement or setting of it outlives it. */
  end(session: EmbeddedSession): void {
    if (session !== this.#owner) return
    this.#owner = null
    this.#engine.exec(simpleQuery('ROLLBACK'))
    this.#engine.exec(simpleQuery('DISCARD ALL'))
  }

  /** Rolls back what is open and answers nobody any more; call before the engine closes. */
  close(): void {
    if (this.#owner !== null) this.end(this.#owner)
    this.#closed = true
  }
}

/** One connection of pg as the embedded database sees it. */
export class EmbeddedSession {
  readonly #sessions: EmbeddedSessions
  readonly #frames = new FrontendFrames()

  constructor(sessions: EmbeddedSessions) {
    this.#sessions = sessions
  }

  /** Takes bytes from the client and returns the answers to send back, in order. */
  receive(chunk: Uint8Array): Uint8Array[] {
    const answers: Uint8Array[] = []
    for (const batch of this.#frames.push(chunk)) {
      const answer = this.#sessions.run(this, batch)
      if (answer !== null && answer.length > 0) answers.push(answer)
    }
    return answers
  }

  end(): void {
    this.#sessions.end(this)
  }
}

/** A Query message of the wire protocol. */
export function simpleQuery(sql: string): Uint8Array {
  const text = new TextEncoder().encode(sql)
  const message = new Uint8Array(text.length + 6)
  message[0] = 'Q'.charCodeAt(0)
  new DataView(message.buffer).setInt32(1, text.length + 5)
  message.set(text, 5)
  return message
}
