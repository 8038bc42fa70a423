/** The interfaces between the venue's areas that do not involve the market. Tests pass their own. */
import type { PlaceRequest, Order } from '../../contract/orders.ts'
import type { MemberEvent, SessionEvent } from '../../contract/socket.ts'
import type { Bus } from './cluster/bus.ts'

/** The venue's clock: epoch milliseconds that never run backwards, and timers on it. */
export type Clock = {
  now(): number
  /** Runs once at or after `instant`; the returned function cancels it. `run` must handle its own failures. */
  at(instant: number, run: () => void | Promise<void>): () => void
}

/** A cryptographic source of randomness, injected so that a test can replay a run. */
export type Random = { bytes(length: number): Uint8Array; uuid(): string }

/**
 * Logs one line for the operator: `info` is normal operation, `warn` a temporary anomaly, `error` requires action by
 * the operator.
 */
export type LogLine = (level: LogLevel, what: string) => void
export type LogLevel = 'info' | 'warn' | 'error'
/** Reports a failure that its caller survives. */
export type Report = (message: string, error: unknown) => void

/** Publishes changes to members; realtime knows which sockets they have. */
export type MemberBus = {
  emit(memberId: string, event: MemberEvent, payload: unknown): void
  /** Sends `session` to the sockets of one session and disconnects them. */
  endSession(sessionId: string, reason: SessionEvent['reason']): void
}

export type Principal = { memberId: string; sessionId: string }

/** Identifies the member of a request by the session cookie, and by the CSRF token for requests that change data. */
export type Authenticator = {
  /** The live session of a cookie, or null; records that the session was used. */
  findBySid(sid: string): Promise<(Principal & { csrfHash: string }) | null>
  /** The session of a cookie as of its last lookup, from memory only; null if it is not cached. */
  cachedSessionId(sid: string): string | null
  csrfMatches(csrfHash: string, token: string): boolean
}

/** Whose a session is. */
export type SessionOwners = {
  /** The member, as the database has it; null if the session has ended. */
  memberOf(sessionId: string): Promise<string | null>
}

/** The stored first answer to a request with an idempotency key. */
export type StoredAnswer = { status: number; body: unknown }

/**
 * Looks up an `Idempotency-Key` before the request is validated. A replay is sent unchanged; a mismatch, or a concurrent
 * duplicate that takes too long, is thrown as an ApiError. With `proceed` the key is locked for this request until
 * `release`, which is called once, when the answer is known. The answer is stored in the transaction of the effect.
 * `body` is the parsed JSON before schema validation; its fingerprint does not depend on the order of its keys.
 */
export type Idempotency = {
  /** @param deferLookup the key is only locked: the caller looks it up with `find` if the request fails */
  begin(
    memberId: string,
    method: string,
    path: string,
    key: string,
    body: unknown,
    deferLookup?: boolean,
  ): Promise<{ replay: StoredAnswer } | LockedKey>
}

/** A key that no other request of this process can use until it is released. */
export type LockedKey = {
  proceed: true
  release: () => void
  /** The stored first answer; null if the key is new. @throws `IDEMPOTENCY_MISMATCH` if its body was another one */
  find: () => Promise<StoredAnswer | null>
}

/** An order request of a member's session, with its idempotency key. */
export type PlaceCommand = Principal & { key: string; fingerprint: string; order: PlaceRequest }

/** An order that was just placed. `origin` is the name of the public log that signs its receipt; null if there is none yet. */
export type PlacedOrder = { order: Order; origin: string | null }

/** The placement of orders for other nodes, on the leader itself or by request to it. */
export type Placer = {
  /**
   * Places an order.
   * @throws KeyUsedError if the key was used before, maybe by this very order, if it was requested twice
   * @throws ApiError, `UNAVAILABLE` if no leader has answered until the order's `validUntil`: it may have been placed
   */
  place(command: PlaceCommand): Promise<PlacedOrder>
  /** Waits while the leader places an order with this key. */
  awaitPlacement(memberId: string, key: string): Promise<void>
}

/** A node's view of the others. */
export type Cluster = {
  isLeading(): boolean
  /**
   * The connection to the other nodes, how many flushes it did not bring, so that they were read from the database, how
   * many of its messages were dropped, and how often the leader's time was refused as a step.
   */
  bus(): {
    isConnected: boolean
    missedFlushes: number
    dropped: ReturnType<Bus['dropped']>
    refusedSteps: number
  }
  /** Requests orders from the leader. */
  remotePlacer: Placer
  /** Places the orders of the other nodes while this one leads. */
  answerPlacements(placer: Placer): void
  /** Publishes to a member's sockets on every node. */
  relay(local: MemberBus): MemberBus
}
