import { createHmac } from 'node:crypto'
import { inArray, lt, sql } from 'drizzle-orm'
import { retention } from '../../../contract/retention.ts'
import { minuteMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { loginFailure } from '../schema.ts'
import { addressBlock } from '../../platform/http/rateLimiter.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import type { Clock } from '../../platform/ports.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import { workLevelMax, type WorkLevel } from './workChallenges.ts'

/** From `captchaThreshold` failures on a login needs a captcha; from `lockThreshold` on a known device is locked for a while. */
const captchaThreshold = 3
const lockThreshold = 10
const lockDurationMs = 15 * minuteMs
/** Failures of one account, from anywhere, from which unknown devices have to work. */
const accountWorkThreshold = 4
const forgetAfterMs = retention.failedLogins.ms
/**
 * Attempts with one name, or of one address, wait for each other in the database, each with a connection: too many of
 * them would leave none for others. Those that end have two permits of their own and are never refused, so that what
 * was counted is always taken back.
 */
const atOnce = { counted: 3, takenBack: 2 }
const countsWaiting = { ownMax: 64, queueMax: 2000 }

/** The failures of a key before an attempt, and when the last one was. */
type FailureCount = { failures: number; at: number }

/**
 * Who tries to log in. `device` is the id of a device that this account was used on before; null if it is unknown.
 * `isFree`: whether the address has free tries left.
 */
export type LoginIdentity = { account: string; ip: string; device: string | null; isFree: boolean }
/** What a login has to pass now. */
export type LoginRestrictions = {
  /** In ms, 0 for no lock. */
  lockedForMs: number
  requiresCaptcha: boolean
  /** 0 for no work. */
  workLevel: WorkLevel
  /** The level that an answer must have at least: for the first try of an account at an address any. */
  leastWorkLevel: WorkLevel
}
/** A login in progress. It counts as failed until it succeeds or is discarded. */
export type LoginAttempt = {
  succeeded(): Promise<void>
  /** The password was not checked, so the attempt does not count. */
  discard(): Promise<void>
}
/** Decides about an attempt in the transaction that counts it. If it throws, nothing of that transaction stays. */
type Admit = (restrictions: LoginRestrictions, tx: DbTransaction) => Promise<boolean>

/**
 * Counts failed logins when they begin, so that many sent at once cannot all pass before the first one counts: not at
 * one node, and not at several, because the counts are rows of the database.
 * The captcha is by account and address, or by account and device if the device is known, and only such a device is locked:
 * nobody is locked out by someone else. Unknown devices also work by the failures of the account and of the address, whatever
 * password they send; known devices never do. Accounts that do not exist are counted in the same way.
 */
export type LoginAttempts = {
  /** Null if `admit` returned false: then the attempt does not count, and what `admit` wrote stays. */
  begin(who: LoginIdentity, admit: Admit): Promise<LoginAttempt | null>
  /** Deletes old failures, and returns how many keys. */
  prune(fence: Fence): Promise<number>
}

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  /** The failures of one address, on any account, from which unknown devices there have to work; null for no limit. */
  addressWorkThreshold: number | null
  secret: Uint8Array
}

export function createLoginAttempts({ db, clock, addressWorkThreshold, secret }: Parts): LoginAttempts {
  // Keyed, so that a copy of the database does not show who failed, nor what was typed as an account.
  const hashKey = deriveKey(secret, 'failed log-ins')
  const countInTurn = createSemaphore(atOnce.counted, countsWaiting)
  const takeBackInTurn = createSemaphore(atOnce.takenBack, { queueMax: Infinity })
  const hashed = (text: string): string => createHmac('sha256', hashKey).update(text).digest('hex')
  return {
    begin: async (who, admit) => {
      const at = clock.now()
      const own = hashed(identityKey(who))
      const shared = unknownDeviceKeys(who, addressWorkThreshold).map(
        ([key, from]) => [hashed(key), from] as const,
      )
      const keys = [own, ...shared.map(([key]) => key)]
      // Known devices go first.
      const turn = { owner: addressBlock(who.ip), hasPriority: who.device !== null }
      const count = async (tx: DbTransaction): Promise<boolean> => {
        const before = await countFailures(tx, keys, at)
        const levels = shared.map(([key, from]) => workLevelOf(before(key).failures, from))
        const workLevel = Math.max(who.device === null && !who.isFree ? 1 : 0, ...levels)
        // The required work may have risen meanwhile: with failures of its own a client needs the level of now, otherwise any.
        const leastWorkLevel = before(own).failures === 0 ? 0 : workLevel
        const restrictions = ownRestrictions(who, before(own), at)
        if (await admit({ ...restrictions, workLevel, leastWorkLevel }, tx)) return true
        await takeBack(tx, keys, at)
        return false
      }
      if (!(await countInTurn(() => db.transaction(count), turn))) return null
      return {
        discard: () => takeBackInTurn(() => takeBack(db, keys, at), turn),
        succeeded: () => takeBackInTurn(() => takeBack(db, keys, at, own), turn),
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
  { device }: LoginIdentity,
  { failures, at }: FailureCount,
  now: number,
): Pick<LoginRestrictions, 'lockedForMs' | 'requiresCaptcha'> {
  const isLocked = device !== null && failures >= lockThreshold
  return {
    lockedForMs: isLocked ? Math.max(0, at + lockDurationMs - now) : 0,
    requiresCaptcha: failures >= captchaThreshold,
  }
}

const workLevelOf = (failures: number, from: number): WorkLevel =>
  Math.min(workLevelMax, Math.max(0, failures - from + 1))

const identityKey = ({ account, ip, device }: LoginIdentity): string =>
  device === null ? `pair ${account} ${addressBlock(ip)}` : `device ${account} ${device}`

/** What the failures of an unknown device also count against, and the number from which it has to work. */
function unknownDeviceKeys(
  { account, ip, device }: LoginIdentity,
  addressThreshold: number | null,
): [key: string, from: number][] {
  if (device !== null) return []
  const accountKey: [string, number] = [`account ${account}`, accountWorkThreshold]
  if (addressThreshold === null) return [accountKey]
  return [accountKey, [`address ${addressBlock(ip)}`, addressThreshold]]
}
