import { count, desc, eq, inArray, lt } from 'drizzle-orm'
import { epochMs } from '../../../contract/units.ts'
import type { IssuedCode } from '../../../contract/office/views.ts'
import type { ActLog } from '../../notices/index.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { openingCode, type OpeningCodeRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { newOpeningCode, normalizeOpeningCode } from './openingCode.ts'

/** Opening codes that the office issues. */
export type IssuedCodes = {
  list(page: PageRequest): Promise<PagedList<IssuedCode>>
  /** @param uses how many accounts it opens; null for any number */
  issue(uses: number | null, actor: string): Promise<IssuedCode>
  /** The code opens no more accounts; those that it opened stay. Throws `NOT_FOUND`, or `CONFLICT` if already revoked. */
  revoke(code: string, actor: string): Promise<IssuedCode>
}

export type IssuedCodesParts = { db: Db; clock: Pick<Clock, 'now'>; random: Random; actLog: ActLog }

export function createIssuedCodes({ db, clock, random, actLog }: IssuedCodesParts): IssuedCodes {
  return {
    list: async ({ limit, cursor }) => {
      const after = readCursor(cursor)
      const rows = await db
        .select()
        .from(openingCode)
        .where(after ? lt(openingCode.no, after[0]) : undefined)
        .orderBy(desc(openingCode.no))
        .limit(limit + 1)
      const opened = await countAccountsOpenedWith(
        db,
        rows.map(({ code }) => code),
      )
      return toPagedList(
        rows,
        limit,
        (row) => viewOf(row, opened.get(row.code) ?? 0),
        ({ no }) => [no, ''],
      )
    },
    issue: (uses, actor) =>
      db.transaction(async (tx) => {
        const code = newOpeningCode(random)
        const values = { code, issuedAt: clock.now(), issuedBy: actor, uses }
        const [row] = await tx.insert(openingCode).values(values).returning()
        if (!row) throw new Error('The insert of an opening code returned no row.')
        await actLog.write(tx, { actor, act: 'issue', subject: subjectOf(row), details: { uses } })
        return viewOf(row, 0)
      }),
    revoke: (typed, actor) =>
      db.transaction(async (tx) => {
        const matchesCode = eq(openingCode.code, normalizeOpeningCode(typed))
        const [row] = await tx.select().from(openingCode).where(matchesCode).for('update')
        if (!row) throw new ApiError('NOT_FOUND')
        if (row.revokedAt !== null) throw new ApiError('CONFLICT')
        const revocation = { revokedAt: clock.now(), revokedBy: actor }
        await tx.update(openingCode).set(revocation).where(matchesCode)
        const opened = (await countAccountsOpenedWith(tx, [row.code])).get(row.code) ?? 0
        await actLog.write(tx, { actor, act: 'revoke', subject: subjectOf(row), details: { opened } })
        return viewOf({ ...row, ...revocation }, opened)
      }),
  }
}

/** The act log names a code by its number: reading the act log must not allow a reader to open accounts. */
const subjectOf = ({ no }: OpeningCodeRow) => ({ kind: 'opening-code', id: String(no) })

/** Whether a code in its stored form was issued by the office and still opens an account. */
export async function isIssuedCodeUsable(db: Db, code: string): Promise<boolean> {
  const [row] = await db.select().from(openingCode).where(eq(openingCode.code, code))
  return row !== undefined && (await isUsable(db, row))
}

/**
 * An early check before the expensive part of a registration. {@link consumeIssuedCode} decides.
 * @throws ApiError `OPENING_CODE_INVALID`
 */
export async function assertIssuedCodeUsable(db: Db, typed: string): Promise<void> {
  const [row] = await db
    .select()
    .from(openingCode)
    .where(eq(openingCode.code, normalizeOpeningCode(typed)))
  if (row && !(await isUsable(db, row))) throw new ApiError('OPENING_CODE_INVALID')
}

/**
 * Runs inside the registration's transaction: if several members register with the last use of a code at once, only one
 * succeeds.
 * @throws ApiError `OPENING_CODE_INVALID`
 */
export async function consumeIssuedCode(tx: DbTransaction, typed: string): Promise<void> {
  const code = normalizeOpeningCode(typed)
  const [row] = await tx.select().from(openingCode).where(eq(openingCode.code, code)).for('update')
  if (row && !(await isUsable(tx, row))) throw new ApiError('OPENING_CODE_INVALID')
}

/** Whether a code is neither revoked nor used up. */
async function isUsable(on: Db | DbTransaction, { code, uses, revokedAt }: OpeningCodeRow): Promise<boolean> {
  if (revokedAt !== null) return false
  return uses === null || ((await countAccountsOpenedWith(on, [code])).get(code) ?? 0) < uses
}

async function countAccountsOpenedWith(
  on: Db | DbTransaction,
  codes: readonly string[],
): Promise<Map<string, number>> {
  if (codes.length === 0) return new Map()
  const rows = await on
    .select({ code: member.openedWith, opened: count() })
    .from(member)
    .where(inArray(member.openedWith, [...codes]))
    .groupBy(member.openedWith)
  return new Map(rows.map(({ code, opened }) => [code, opened]))
}

function viewOf(row: OpeningCodeRow, opened: number): IssuedCode {
  const { code, issuedAt, issuedBy, uses, revokedAt, revokedBy } = row
  return {
    code,
    issuedAt: epochMs(issuedAt),
    issuedBy,
    uses,
    opened,
    revokedAt: epochMs(revokedAt),
    revokedBy,
  }
}
