import { assertNever } from '../../../contract/units.ts'
import { FrontendMessageParser, statementNames, type FrontendBatch } from './frontendMessages.ts'

/** The part of the embedded database that sessions need: it answers a batch of wire bytes. */
export type WireEngine = {
  exec(message: Uint8Array): Uint8Array
}

/** `high` goes before `normal`, and may cancel a `normal` transaction that blocks it. */
export type Priority = 'normal' | 'high'

const tlsRefused = Uint8Array.of('N'.charCodeAt(0))
const preemptAfterMs = 1000
/** The error for the client of a cancelled transaction: it lost against another one and may be run again (40001). */
const cancelledError = simpleQuery(
  "DO $$BEGIN RAISE 'cancelled: it kept a transaction of higher priority waiting' USING ERRCODE = '40001'; END$$",
)

/**
 * Shares the engine, which is one connection, among several connections of pg: batch by batch, and a transaction as a
 * whole. A session that is in a transaction has the engine to itself until the transaction ends.
 */
export class EmbeddedSessions {
  readonly #engine: WireEngine
  readonly #sessions = new Set<EmbeddedSession>()
  /** The session whose transaction is open. */
  #holder: EmbeddedSession | null = null
  #timer: NodeJS.Timeout | null = null
  /** The role that the engine has now; null is the superuser. */
  #role: string | null = null
  #closed = false
  readonly #preemptAfterMs: number

  /** @param afterMs how long a session of high priority waits for a transaction of normal priority, which is then cancelled */
  constructor(engine: WireEngine, afterMs = preemptAfterMs) {
    this.#engine = engine
    this.#preemptAfterMs = afterMs
  }

  /** @param answer takes the bytes to send to this connection's client, in order */
  open(
    answer: (bytes: Uint8Array) => void,
    priority: Priority = 'normal',
    role: string | null = null,
  ): EmbeddedSession {
    const session = new EmbeddedSession(this, answer, priority, role)
    this.#sessions.add(session)
    return session
  }

  /** Runs the batches that can run now. */
  run(): void {
    for (let next = this.#next(); next !== null && !this.#closed; next = this.#next()) {
      const batch = next.queue.shift()
      if (batch !== undefined) this.#exec(next, batch)
    }
    this.#watchHolder()
  }

  /** Rolls back the open transaction and stops answering; call it before the engine closes. */
  close(): void {
    this.#stopTimer()
    if (this.#holder !== null) this.#engine.exec(simpleQuery('ROLLBACK'))
    this.#holder = null
    this.#closed = true
  }

  #next(): EmbeddedSession | null {
    if (this.#holder !== null) return this.#holder.queue.length > 0 ? this.#holder : null
    let next: EmbeddedSession | null = null
    for (const session of this.#sessions) {
      if (session.queue.length === 0) continue
      if (session.priority === 'high') return session
      next ??= session
    }
    return next
  }

  #exec(session: EmbeddedSession, batch: FrontendBatch): void {
    switch (batch.kind) {
      case 'ssl':
        session.answer(tlsRefused)
        break
      case 'cancel':
        break
      case 'startup':
        session.answer(this.#engine.exec(batch.bytes))
        break
      case 'messages':
        this.#execMessages(session, batch.bytes)
        break
      case 'terminate':
        this.#end(session)
        break
      default:
        assertNever(batch)
    }
  }

  #execMessages(session: EmbeddedSession, bytes: Uint8Array): void {
    this.#setRole(session.role)
    if (session.isCancelled) {
      session.isCancelled = false
      this.#engine.exec(simpleQuery('BEGIN'))
      // A rollback succeeds as usual; any other batch gets the error, and the client then has to roll back.
      const rollsBack = isRollback(bytes)
      session.answer(this.#engine.exec(rollsBack ? bytes : cancelledError))
      this.#holder = rollsBack ? null : session
      return
    }
    for (const name of statementNames(bytes)) session.statements.add(name)
    const answer = this.#engine.exec(bytes)
    this.#holder = isIdle(answer) ? null : session
    if (answer.length > 0) session.answer(answer)
    // A session that had its turn goes to the end of the queue.
    this.#sessions.delete(session)
    this.#sessions.add(session)
  }

  /** No transaction is open when the engine changes from one session to another. */
  #setRole(role: string | null): void {
    if (role === this.#role) return
    this.#engine.exec(simpleQuery(role === null ? 'RESET ROLE' : `SET ROLE ${quoted(role)}`))
    this.#role = role
  }

  /** Removes a connection, with its open transaction, prepared statements, settings and locks. */
  #end(session: EmbeddedSession): void {
    this.#sessions.delete(session)
    session.queue.length = 0
    if (session === this.#holder) {
      this.#engine.exec(simpleQuery('ROLLBACK'))
      this.#holder = null
    }
    for (const name of session.statements) this.#engine.exec(simpleQuery(`DEALLOCATE "${name}"`))
    this.#engine.exec(simpleQuery('RESET ALL; SELECT pg_advisory_unlock_all()'))
  }

  /** Cancels the holder's transaction if it takes too long while a session of high priority waits. */
  #watchHolder(): void {
    const holder = this.#holder
    const isBlocking =
      holder !== null && holder.priority === 'normal' && this.#isHighWaiting() && !this.#closed
    if (!isBlocking) this.#stopTimer()
    else this.#timer ??= setTimeout(() => this.#cancelHolder(), this.#preemptAfterMs)
  }

  #cancelHolder(): void {
    this.#timer = null
    const holder = this.#holder
    if (holder === null || holder.priority === 'high' || !this.#isHighWaiting()) return
    this.#engine.exec(simpleQuery('ROLLBACK'))
    holder.isCancelled = true
    this.#holder = null
    this.run()
  }

  #isHighWaiting(): boolean {
    return [...this.#sessions].some(({ priority, queue }) => priority === 'high' && queue.length > 0)
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** One connection of pg, seen from the embedded database. */
export class EmbeddedSession {
  readonly #sessions: EmbeddedSessions
  readonly #parser = new FrontendMessageParser()
  readonly answer: (bytes: Uint8Array) => void
  readonly priority: Priority
  readonly role: string | null
  readonly queue: FrontendBatch[] = []
  /** Names of its prepared statements. */
  readonly statements = new Set<string>()
  /** Its transaction was cancelled, and its client has not been notified yet. */
  isCancelled = false
  #ended = false

  constructor(
    sessions: EmbeddedSessions,
    answer: (bytes: Uint8Array) => void,
    priority: Priority,
    role: string | null,
  ) {
    this.#sessions = sessions
    this.answer = answer
    this.priority = priority
    this.role = role
  }

  /** Takes bytes from the client. */
  receive(chunk: Uint8Array): void {
    if (this.#ended) return
    this.queue.push(...this.#parser.push(chunk))
    this.#sessions.run()
  }

  /** The client has disconnected: its unanswered batches are dropped. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.queue.splice(0, this.queue.length, { kind: 'terminate' })
    this.#sessions.run()
  }
}

const readyForQuery = 'Z'.charCodeAt(0)
const idleStatus = 'I'.charCodeAt(0)

/** Whether an answer ends with a ReadyForQuery outside of a transaction. */
function isIdle(answer: Uint8Array): boolean {
  return answer.at(-6) === readyForQuery && answer.at(-1) === idleStatus
}

const queryMessage = 'Q'.charCodeAt(0)

/** Whether a batch is a Query message with only a ROLLBACK. */
function isRollback(bytes: Uint8Array): boolean {
  return (
    bytes[0] === queryMessage && /^rollback;?$/i.test(new TextDecoder().decode(bytes.subarray(5, -1)).trim())
  )
}

/** An identifier in SQL. The one of `pg` would load that whole driver into the database's thread. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A Query message of the wire protocol. */
export function simpleQuery(sql: string): Uint8Array {
  const text = new TextEncoder().encode(sql)
  const message = new Uint8Array(text.length + 6)
  message[0] = 'Q'.charCodeAt(0)
  new DataView(message.buffer).setInt32(1, text.length + 5)
  message.set(text, 5)
  return message
}
