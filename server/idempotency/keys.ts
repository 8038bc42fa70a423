import { and, eq, sql } from 'drizzle-orm'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { idempotency } from '../db/schema/idempotency.ts'
import { Bucket } from '../http/bucket.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock, Idempotency, Random, StoredAnswer } from '../ports.ts'
import { systemRandom } from '../random.ts'
import { createVault } from '../vault.ts'
import { fingerprint } from './fingerprint.ts'

/** What a key belongs to. */
export type KeyScope = { memberId: string; method: string; path: string; key: string }

export type Keys = Idempotency & {
  /** The fingerprint of the body that holds a key just now. Throws where nobody holds it. */
  fingerprintOf(scope: KeyScope): string
  /**
   * Stores the first answer in the effect's transaction.
   * @throws a unique violation of `idempotency_pkey` where a twin in another process was first
   */
  save(tx: Db | DbTransaction, scope: KeyScope, answer: StoredAnswer): Promise<void>
  /** The stored answer for the same body; null without one; a mismatch is thrown. */
  find(scope: KeyScope, print: string): Promise<StoredAnswer | null>
  /** Waits while a request with this key is in flight; 409 after ten seconds. */
  whenFree(scope: KeyScope): Promise<void>
  /** Forgets answers older than they must be kept; how many. */
  prune(fence: Fence): Promise<number>
}

/** A stored answer is found again under this constraint's name when a twin was first. */
export const keyConstraint = 'idempotency_pkey'

/** A twin waits this long for the first answer. */
const twinWaitMs = 10_000
/** The contract says at least seven days; one more covers a clock that the client reads differently. */
const keptMs = 8 * 86_400_000

/** Tells a sealed answer from plain JSON: an order's holds nothing personal and is written in the order's statement. */
const sealedMark = 'sealed:'

type Held = { print: string; done: Promise<void> }

/** Refusals that one member may have stored: beyond them a keyed call that a rule refuses is 429 and leaves no row. */
const refusalRate = { calls: 50, perMs: 3_600_000, burst: 500 }

type Parts = { db: Db; clock: Clock; secret: Uint8Array; random?: Random; boundRefusals?: boolean }

export function createKeys({ db, clock, secret, random = systemRandom, boundRefusals = false }: Parts): Keys {
  const held = new Map<string, Held>()
  const refusals = new Map<string, Bucket>()
  const takeRefusal = (memberId: string): void => {
    const bucket = refusals.get(memberId) ?? new Bucket(refusalRate, clock.now())
    refusals.set(memberId, bucket)
    const retryAfterMs = bucket.take(clock.now())
    if (retryAfterMs > 0) throw new Refusal(429, 'RATE_LIMITED', { params: { retryAfterMs } })
  }
  // Answers repeat what members entered, names among it: the database alone does not tell.
  const vault = createVault(secret, 'stored answers', random)
  const textOf = (scope: KeyScope, body: string): string =>
    body.startsWith(sealedMark)
      ? vault.open(Buffer.from(body.slice(sealedMark.length), 'base64url'), idOf(scope)).toString()
      : body

  const waitFor = async (twin: Held, deadline: number): Promise<void> => {
    if (!(await within(clock, deadline, twin.done))) throw new Refusal(409, 'IDEMPOTENCY_IN_FLIGHT')
  }
  const whenFree = async (scope: KeyScope): Promise<void> => {
    const deadline = clock.now() + twinWaitMs
    for (let twin = held.get(idOf(scope)); twin; twin = held.get(idOf(scope))) await waitFor(twin, deadline)
  }
  /**
   * Waits until no request holds the key, whatever its body, and takes the key in the same turn: of many waiting
   * requests one gets it. A request with another body may lose against one in another process, so it decides nothing
   * until it is done; only what is stored then does.
   */
  const acquire = async (scope: KeyScope, print: string): Promise<() => void> => {
    const deadline = clock.now() + twinWaitMs
    for (let twin = held.get(idOf(scope)); twin; twin = held.get(idOf(scope))) await waitFor(twin, deadline)
    return hold(scope, print)
  }
  const hold = (scope: KeyScope, print: string): (() => void) => {
    const { promise, resolve } = deferred()
    held.set(idOf(scope), { print, done: promise })
    return () => {
      held.delete(idOf(scope))
      resolve()
    }
  }
  const find = async (scope: KeyScope, print: string): Promise<StoredAnswer | null> => {
    const [row] = await db.select().from(idempotency).where(matches(scope))
    if (!row) return null
    if (row.fingerprint !== print) throw new Refusal(422, 'IDEMPOTENCY_MISMATCH')
    return { status: row.status, body: JSON.parse(textOf(scope, row.body)) }
  }

  return {
    begin: async (memberId, method, path, key, body) => {
      const scope = { memberId, method, path, key }
      const print = fingerprint(secret, body)
      const release = await acquire(scope, print)
      try {
        const stored = await find(scope, print)
        if (!stored) return { proceed: true, release }
        release()
        return { replay: stored }
      } catch (error) {
        release()
        throw error
      }
    },
    fingerprintOf: (scope) => {
      const own = held.get(idOf(scope))
      if (!own) throw new Error('An answer is stored for a key that is not held.')
      return own.print
    },
    save: async (tx, scope, answer) => {
      const print = held.get(idOf(scope))?.print
      if (print === undefined) throw new Error('An answer is stored for a key that is not held.')
      const { status, body } = answer
      if (boundRefusals && status >= 400) takeRefusal(scope.memberId)
      const sealed = vault.seal(JSON.stringify(body), idOf(scope)).toString('base64url')
      const row = {
        ...scope,
        fingerprint: print,
        status,
        body: `${sealedMark}${sealed}`,
        createdAt: clock.now(),
      }
      await tx.insert(idempotency).values(row)
    },
    find,
    whenFree,
    prune: (fence) => {
      for (const [memberId, bucket] of refusals) if (bucket.isFull(clock.now())) refusals.delete(memberId)
      return fence.transaction(db, async (tx) => {
        await tx.execute(sql`SET LOCAL uptick.prune = 'on'`)
        const gone = await tx.execute(
          sql`DELETE FROM idempotency WHERE created_at < ${clock.now() - keptMs}::bigint`,
        )
        return gone.rowCount ?? 0
      })
    },
  }
}

const idOf = (scope: KeyScope): string => `${scope.memberId} ${scope.method} ${scope.path} ${scope.key}`

function matches(scope: KeyScope) {
  return and(
    eq(idempotency.memberId, scope.memberId),
    eq(idempotency.method, scope.method),
    eq(idempotency.path, scope.path),
    eq(idempotency.key, scope.key),
  )
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Whether a promise came true before an instant. */
async function within(clock: Clock, deadline: number, promise: Promise<void>): Promise<boolean> {
  let cancel = (): void => undefined
  const late = new Promise<false>((resolve) => {
    cancel = clock.at(deadline, () => resolve(false))
  })
  const inTime = await Promise.race([promise.then(() => true as const), late])
  cancel()
  return inTime
}
