import { count, desc, eq, inArray, lt } from 'drizzle-orm'
import type { IssuedCode } from '../../contract/desk/views.ts'
import type { Audit } from '../audit/audit.ts'
import { readCursor } from '../cursor.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { openingCode } from '../db/schema/openingCode.ts'
import type { OpeningCodeRow } from '../db/schema/openingCode.ts'
import { Refusal } from '../http/refusal.ts'
import { pageOf } from '../pages.ts'
import type { List, Page } from '../pages.ts'
import type { Clock, Random } from '../ports.ts'
import { newOpeningCode, readOpeningCode } from './openingCode.ts'

/** Opening codes that the desk hands out. */
export type IssuedCodes = {
  list(page: Page): Promise<List<IssuedCode>>
  /** @param uses how many accounts it opens; null for any number */
  issue(uses: number | null, actor: string): Promise<IssuedCode>
  /** It opens no account from now on; those that it opened stay. Throws 404, or 409 `CONFLICT` where it is revoked. */
  revoke(code: string, actor: string): Promise<IssuedCode>
}

export type IssuedCodesParts = { db: Db; clock: Pick<Clock, 'now'>; random: Random; audit: Audit }

export function createIssuedCodes({ db, clock, random, audit }: IssuedCodesParts): IssuedCodes {
  return {
    list: async ({ limit, cursor }) => {
      const after = readCursor(cursor)
      const rows = await db
        .select()
        .from(openingCode)
        .where(after ? lt(openingCode.no, after[0]) : undefined)
        .orderBy(desc(openingCode.no))
        .limit(limit + 1)
      const opened = await openedWith(
        db,
        rows.map(({ code }) => code),
      )
      return pageOf(
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
        if (!row) throw new Error('A code was not written.')
        await audit.write(tx, { actor, act: 'issue', subject: subjectOf(row), details: { uses } })
        return viewOf(row, 0)
      }),
    revoke: (typed, actor) =>
      db.transaction(async (tx) => {
        const named = eq(openingCode.code, readOpeningCode(typed))
        const [found] = await tx.select().from(openingCode).where(named).for('update')
        if (!found) throw new Refusal(404, 'NOT_FOUND')
        if (found.revokedAt !== null) throw new Refusal(409, 'CONFLICT')
        const revoked = { revokedAt: clock.now(), revokedBy: actor }
        await tx.update(openingCode).set(revoked).where(named)
        const opened = (await openedWith(tx, [found.code])).get(found.code) ?? 0
        await audit.write(tx, { actor, act: 'revoke', subject: subjectOf(found), details: { opened } })
        return viewOf({ ...found, ...revoked }, opened)
      }),
  }
}

/** The code itself opens accounts: whoever reads the audit need not be able to. */
const subjectOf = ({ no }: OpeningCodeRow) => ({ kind: 'opening-code', id: String(no) })

/** Whether a code as stored is one of the desk's that still opens an account. */
export async function issuedCodeWorks(db: Db, code: string): Promise<boolean> {
  const [row] = await db.select().from(openingCode).where(eq(openingCode.code, code))
  return row !== undefined && (await opens(db, row))
}

/**
 * Before the work of a registration; whether the code still opens then is decided by {@link useIssuedCode}.
 * @throws Refusal 422 `OPENING_CODE_INVALID`
 */
export async function refuseSpentCode(db: Db, typed: string): Promise<void> {
  const [row] = await db
    .select()
    .from(openingCode)
    .where(eq(openingCode.code, readOpeningCode(typed)))
  if (row && !(await opens(db, row))) throw new Refusal(422, 'OPENING_CODE_INVALID')
}

/**
 * Inside the registration's transaction: of members who open an account with the last use of a code at once, one does.
 * @throws Refusal 422 `OPENING_CODE_INVALID`
 */
export async function useIssuedCode(tx: DbTransaction, typed: string): Promise<void> {
  const code = readOpeningCode(typed)
  const [row] = await tx.select().from(openingCode).where(eq(openingCode.code, code)).for('update')
  if (row && !(await opens(tx, row))) throw new Refusal(422, 'OPENING_CODE_INVALID')
}

/** Whether a code is neither revoked nor used up. */
async function opens(on: Db | DbTransaction, { code, uses, revokedAt }: OpeningCodeRow): Promise<boolean> {
  if (revokedAt !== null) return false
  return uses === null || ((await openedWith(on, [code])).get(code) ?? 0) < uses
}

async function openedWith(on: Db | DbTransaction, codes: readonly string[]): Promise<Map<string, number>> {
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
  return { code, issuedAt, issuedBy, uses, opened, revokedAt, revokedBy }
}
