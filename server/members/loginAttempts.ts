import { createHmac } from 'node:crypto'
import { inArray, lt, sql } from 'drizzle-orm'
import { backoffMs } from '../../contract/backoff.ts'
import { hourMs, minuteMs } from '../../contract/time.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { loginFailure } from '../db/schema/loginAttempt.ts'
import { addressBlock } from '../http/rateLimiter.ts'
import { deriveKey } from '../keyDerivation.ts'
import type { Clock } from '../ports.ts'

/** From `captchaThreshold` failures on a log-in needs a captcha; from `lockThreshold` on it is locked for a while. */
const captchaThreshold = 3
const lockThreshold = 10
const lockDurationMs = 15 * minuteMs
/** Failures from which unknown devices have to wait: on one account from anywhere, and from one address on any account. */
const accountDelayThreshold = 4
const addressDelayThreshold = 10
/** The first wait. Each further failure doubles it, up to `maxDelayMs`. */
const initialDelayMs = 1000
const maxDelayMs = 30_000
const forgetAfterMs = hourMs

/** The failures of a key before an attempt, and when the last one was. */
type FailureCount = { failures: number; at: number }

/** Who tries to log in. `device` is the id of a device that this account was used on before; null if it is unknown. */
export type LoginIdentity = { account: string; ip: string; device: string | null }
/** What a log-in has to pass now. Waits are in ms, 0 for none. */
export type LoginRestrictions = { lockedForMs: number; requiresCaptcha: boolean; waitMs: number }
/** A log-in in progress. It counts as failed until it succeeds or is discarded. */
export type LoginAttempt = {
  succeeded(): Promise<void>
  /** The password was not checked, so the attempt does not count. */
  discard(): Promise<void>
}
/** Decides about an attempt in the transaction that counts it. If it throws, nothing of that transaction stays. */
type Admit = (restrictions: LoginRestrictions, tx: DbTransaction) => Promise<boolean>

/**
 * Counts failed log-ins when they begin, so that many sent at once cannot all pass before the first one counts: not at
 * one node, and not at several, because the counts are rows of the database.
 * Captcha and lock are by account and address, or by account and device if the device is known, so that a member cannot
 * be locked out by someone else. Unknown devices also wait by account and by address, whatever password they send; known
 * devices never do. Accounts that do not exist are counted in the same way.
 */
export type LoginAttempts = {
  /** Null if `admit` returned false: then the attempt does not count, and what `admit` wrote stays. */
  begin(who: LoginIdentity, admit: Admit): Promise<LoginAttempt | null>
  /** Forgets old failures, and returns how many keys. */
  prune(fence: Fence): Promise<number>
}

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  /** Whether unknown devices also wait by their address. */
  byAddress: boolean
  secret: Uint8Array
}

export function createLoginAttempts({ db, clock, byAddress, secret }: Parts): LoginAttempts {
  // Keyed, so that a copy of the database does not show who failed, nor what was typed as an account.
  const hashKey = deriveKey(secret, 'failed log-ins')
  const hashed = (text: string): string => createHmac('sha256', hashKey).update(text).digest('hex')
  return {
    begin: async (who, admit) => {
      const at = clock.now()
      const own = hashed(identityKey(who))
      const delays = unknownDeviceKeys(who, byAddress).map(([key, from]) => [hashed(key), from] as const)
      const keys = [own, ...delays.map(([key]) => key)]
      const isAdmitted = await db.transaction(async (tx) => {
        const before = await countFailures(tx, keys, at)
        const waits = delays.map(([key, from]) => remainingDelay(before(key), from, at))
        if (await admit({ ...ownRestrictions(before(own), at), waitMs: Math.max(0, ...waits) }, tx))
          return true
        await takeBack(tx, keys, at)
        return false
      })
      if (!isAdmitted) return null
      return {
        discard: () => takeBack(db, keys, at),
        succeeded: () => takeBack(db, keys, at, own),
      }
    },
    prune: async (fence) => {
      // Keys in use are left for the next time: deleting several at once could otherwise deadlock with an attempt.
      const old = db
        .select({ key: loginFailure.key })
        .from(loginFailure)
        .where(lt(loginFailure.at, clock.now() - forgetAfterMs))
        .for('update', { skipLocked: true })
      const deleted = await fence.transaction(db, (tx) =>
        tx.delete(loginFailure).where(inArray(loginFailure.key, old)),
      )
      return deleted.rowCount ?? 0
    },
  }
}

/** Counts one more failure of each key, and returns what they were before. It locks the rows, always in one order. */
async function countFailures(
  tx: DbTransaction,
  keys: readonly string[],
  at: number,
): Promise<(key: string) => FailureCount> {
  const isRecent = sql`${loginFailure.at} > ${at - forgetAfterMs}::bigint`
  const counted = await tx
    .insert(loginFailure)
    .values(keys.toSorted().map((key) => ({ key, failures: 1, at, previousAt: 0 })))
    .onConflictDoUpdate({
      target: loginFailure.key,
      set: {
        failures: sql`CASE WHEN ${isRecent} THEN ${loginFailure.failures} + 1 ELSE 1 END`,
        at,
        previousAt: sql`${loginFailure.at}`,
      },
    })
    .returning()
  const before = new Map(
    counted.map(({ key, failures, previousAt }) => [key, { failures: failures - 1, at: previousAt }]),
  )
  return (key) => before.get(key) ?? { failures: 0, at: 0 }
}

/**
 * Takes back what an attempt counted at `at`.
 * @param clearedKey this key has no failures left
 */
async function takeBack(
  on: Db | DbTransaction,
  keys: readonly string[],
  at: number,
  clearedKey = '',
): Promise<void> {
  await on.execute(sql`
    WITH locked AS MATERIALIZED (
      SELECT key FROM login_failure WHERE key = ANY (${sql.param([...keys])}::text[]) ORDER BY key FOR UPDATE
    )
    UPDATE login_failure f SET
      failures = CASE WHEN f.key = ${clearedKey} THEN 0 ELSE greatest(0, f.failures - 1) END,
      at = CASE WHEN f.at = ${at}::bigint THEN f.previous_at ELSE f.at END
    FROM locked WHERE f.key = locked.key`)
}

function ownRestrictions(
  { failures, at }: FailureCount,
  now: number,
): Pick<LoginRestrictions, 'lockedForMs' | 'requiresCaptcha'> {
  return {
    lockedForMs: failures < lockThreshold ? 0 : Math.max(0, at + lockDurationMs - now),
    requiresCaptcha: failures >= captchaThreshold,
  }
}

function remainingDelay({ failures, at }: FailureCount, from: number, now: number): number {
  if (failures < from) return 0
  const delayMs = backoffMs(failures - from + 1, initialDelayMs, maxDelayMs)
  return Math.max(0, at + delayMs - now)
}

const identityKey = ({ account, ip, device }: LoginIdentity): string =>
  device === null ? `pair ${account} ${addressBlock(ip)}` : `device ${account} ${device}`

/** What the failures of an unknown device also count against, and the number from which it makes them wait. */
function unknownDeviceKeys(
  { account, ip, device }: LoginIdentity,
  byAddress: boolean,
): [key: string, from: number][] {
  if (device !== null) return []
  const accountKey: [string, number] = [`account ${account}`, accountDelayThreshold]
  return byAddress ? [accountKey, [`address ${addressBlock(ip)}`, addressDelayThreshold]] : [accountKey]
}
