import { createHmac } from 'node:crypto'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { retention } from '../../../contract/retention.ts'
import { hourMs, dayMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { FactorTables } from '../schema.ts'
import { addressBlock } from '../../platform/http/rateLimiter.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import type { Clock } from '../../platform/ports.ts'
import type { RecoveryCodes } from './recoveryCodes.ts'
import type { Totp } from './totp.ts'

/** After this many wrong codes of the app in a row none is checked from there for a while: six digits could soon be guessed otherwise. */
const maxFailures = 5
const lockDurationMs = hourMs
/**
 * The limit of wrong codes from all unknown devices together, whatever their number: of a million codes three are right
 * at a time, and a million addresses cost an attacker little. Known devices, recovery codes and passkeys log in
 * meanwhile.
 */
const maxFailuresOfUnknown = 100
const unknownLockDurationMs = dayMs
/** Older wrong codes no longer count. */
const forgetAfterMs = retention.wrongCodes.ms
/** Stands for all unknown devices together. */
const unknownDevices = ''

export type CodeKind = 'totp' | 'recovery'

/** The origin of codes, so that the limit applies to an attacker and not to the owner. */
export type CodeOrigin =
  /** A device on which the owner has logged in, or a session. */
  | { known: string }
  /** Any other address; `attempt` is the login whose second step this is. */
  | { ip: string; attempt?: string }

/**
 * Checks the code of an authenticator app, or a recovery code, which has 50 bits and is not counted. A code of the app counts as
 * wrong before it is checked, at every node: of many sent at once, no more than {@link maxFailures} are checked.
 */
export type CodeCheck = {
  /**
   * Uses a code and runs the work that it permits in one transaction. Throws `SECOND_FACTOR_WRONG`, `LOCKED`
   * (`retryAfterMs`), or `CHALLENGE_EXPIRED` after too many wrong codes of one attempt. Call it outside any transaction: a
   * wrong code stays counted.
   */
  use<T>(
    ownerId: string,
    { code, from }: { code: string; from: CodeOrigin },
    work: (tx: DbTransaction, kind: CodeKind) => Promise<T>,
  ): Promise<T>
  /** Deletes old wrong codes, and returns how many origins. */
  prune(fence: Fence): Promise<number>
}

export type CodeCheckParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  tables: Pick<FactorTables, 'kind' | 'codeFailure'>
  totp: Totp
  recoveryCodes: RecoveryCodes
  /** Where codes came from is hashed with it; it is stored outside the database. */
  hashKey: Uint8Array
}

export function createCodeCheck(parts: CodeCheckParts): CodeCheck {
  const { db, clock, totp, recoveryCodes, tables } = parts
  const { codeFailure } = tables
  const key = deriveKey(parts.hashKey, `${tables.kind} code origins`)
  const hashed = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const checkTotp = async <T>(
    ownerId: string,
    code: string,
    from: CodeOrigin,
    work: (tx: DbTransaction) => Promise<T>,
  ): Promise<T> => {
    const counted = countedOf(from, hashed)
    await countTry(parts, ownerId, counted)
    try {
      return await db.transaction(async (tx) => {
        if (!(await totp.use(tx, ownerId, code))) throw new ApiError('SECOND_FACTOR_WRONG')
        const result = await work(tx)
        await tx.delete(codeFailure).where(ofOrigins(codeFailure, ownerId, counted))
        return result
      })
    } catch (error) {
      // Anything else says nothing about the code, which was not used either.
      const isWrong = error instanceof ApiError && error.code === 'SECOND_FACTOR_WRONG'
      if (!isWrong) await takeBack(parts, ownerId, counted)
      throw error
    }
  }
  return {
    use: (ownerId, { code, from }, work) =>
      /^\s*\d{3}\s?\d{3}\s*$/.test(code)
        ? checkTotp(ownerId, code.replaceAll(/\s/g, ''), from, (tx) => work(tx, 'totp'))
        : db.transaction(async (tx) => {
            if (!(await recoveryCodes.use(tx, ownerId, code))) throw new ApiError('SECOND_FACTOR_WRONG')
            return work(tx, 'recovery')
          }),
    prune: async (fence) => {
      const old = lt(codeFailure.at, clock.now() - forgetAfterMs)
      const deleted = await fence.transaction(db, (tx) => tx.delete(codeFailure).where(old))
      return deleted.rowCount ?? 0
    },
  }
}

/** What a try counts against. `attempt` is among `origins`. */
type Counted = { origins: readonly string[]; attempt: string | null }

function countedOf(from: CodeOrigin, hashed: (text: string) => string): Counted {
  if ('known' in from) return { origins: [hashed(`known ${from.known}`)], attempt: null }
  const attempt = from.attempt === undefined ? null : hashed(`attempt ${from.attempt}`)
  const own = [hashed(`address ${addressBlock(from.ip)}`), ...(attempt === null ? [] : [attempt])]
  // In one order, so that two tries never wait for each other.
  return { origins: [unknownDevices, ...own.sort()], attempt }
}

const ofOrigins = (table: FactorTables['codeFailure'], ownerId: string, { origins }: Counted) =>
  and(eq(table.ownerId, ownerId), inArray(table.origin, [...origins]))

/** @throws ApiError `LOCKED`, or `CHALLENGE_EXPIRED` if only the attempt has had its codes */
async function countTry(
  { db, clock, tables: { codeFailure } }: CodeCheckParts,
  ownerId: string,
  counted: Counted,
): Promise<void> {
  const now = clock.now()
  const { failures, at, origin } = codeFailure
  const most = sql`CASE WHEN ${origin} = ${unknownDevices} THEN ${maxFailuresOfUnknown}::int ELSE ${maxFailures}::int END`
  const lockedSince = sql`CASE WHEN ${origin} = ${unknownDevices} THEN ${now - unknownLockDurationMs}::bigint ELSE ${now - lockDurationMs}::bigint END`
  // When a lock ends, counting starts again.
  const counts = sql`${failures} < ${most} AND ${at} > ${now - forgetAfterMs}::bigint`
  await db.transaction(async (tx) => {
    const free = await tx
      .insert(codeFailure)
      .values(counted.origins.map((each) => ({ ownerId, origin: each, failures: 1, at: now })))
      .onConflictDoUpdate({
        target: [codeFailure.ownerId, codeFailure.origin],
        set: { failures: sql`CASE WHEN ${counts} THEN ${failures} + 1 ELSE 1 END`, at: now },
        setWhere: sql`NOT (${failures} >= ${most} AND ${at} > ${lockedSince})`,
      })
      .returning({ origin: codeFailure.origin })
    const locked = counted.origins.filter((each) => free.every((row) => row.origin !== each))
    if (locked.length === 0) return
    if (locked.every((each) => each === counted.attempt)) throw new ApiError('CHALLENGE_EXPIRED')
    const rows = await tx
      .select()
      .from(codeFailure)
      .where(ofOrigins(codeFailure, ownerId, counted))
    const waits = rows
      .filter((row) => locked.includes(row.origin) && row.origin !== counted.attempt)
      .map((row) => row.at + (row.origin === unknownDevices ? unknownLockDurationMs : lockDurationMs) - now)
    throw new ApiError('LOCKED', { params: { retryAfterMs: Math.max(1000, ...waits) } })
  })
}

async function takeBack(
  { db, tables: { codeFailure } }: CodeCheckParts,
  ownerId: string,
  counted: Counted,
): Promise<void> {
  const failures = sql`greatest(0, ${codeFailure.failures} - 1)`
  await db
    .update(codeFailure)
    .set({ failures })
    .where(ofOrigins(codeFailure, ownerId, counted))
}
