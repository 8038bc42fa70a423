import { and, asc, desc, eq, gt, gte, lt } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { csv, isoTime } from '../csv.ts'
import type { Cell } from '../csv.ts'
import { readCursor } from '../cursor.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { audit, auditLink } from '../db/schema/audit.ts'
import type { AuditRow } from '../db/schema/audit.ts'
import { pagesByRow, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock } from '../ports.ts'

/** An action of the back office. `details` has no personal data, because it is stored for good. */
export type AuditEvent = {
  /** Who did it: the name that the back office user passed. */
  actor: string
  act: string
  subject: { kind: string; id: string }
  memberId?: string
  details?: Record<string, string | number | boolean | null>
}
export type AuditEntry = {
  id: string
  at: number
  actor: string
  act: string
  subject: { kind: string; id: string }
  memberId: string | null
  details: Record<string, unknown>
}

/** The log of back office actions. The database rejects changes to its rows and their removal. */
export type Audit = {
  /** Runs in the transaction of the action, so that no action goes unrecorded. */
  write(tx: Db | DbTransaction, event: AuditEvent): Promise<void>
  /** Newest first. */
  list(page: PageRequest, filters?: AuditFilters): Promise<PagedList<AuditEntry>>
  /** The rows of from ≤ at < to as CSV, oldest first, each with its place in the hash chain. */
  csv(range: { from: number; to: number }): AsyncGenerator<string>
}

/** Who did what, to what, to whom, and when: from ≤ at < to. */
export type AuditFilters = {
  actor?: string | undefined
  act?: string | undefined
  subjectKind?: string | undefined
  subjectId?: string | undefined
  memberId?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** How many rows of a file are read and written at a time. */
const filePageRows = 500

export function createAudit({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): Audit {
  return {
    write: async (tx, { actor, act, subject, memberId, details = {} }) => {
      await tx.insert(audit).values({
        at: clock.now(),
        actor,
        act,
        subjectKind: subject.kind,
        subjectId: subject.id,
        memberId: memberId ?? null,
        details: JSON.stringify(details),
      })
    },
    list: async (page, filters = {}) => {
      const after = readCursor(page.cursor)
      const rows = await db
        .select()
        .from(audit)
        .where(and(...conditions(filters), after ? lt(audit.id, after[0]) : undefined))
        .orderBy(desc(audit.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, toAuditEntry, ({ id }) => [id, ''])
    },
    csv: (range) => csv(header, filePages(db, range)),
  }
}

function conditions(filters: AuditFilters): SQL[] {
  const { actor, act, subjectKind, subjectId, memberId, from, to } = filters
  return [
    ...(actor === undefined ? [] : [eq(audit.actor, actor)]),
    ...(act === undefined ? [] : [eq(audit.act, act)]),
    ...(subjectKind === undefined ? [] : [eq(audit.subjectKind, subjectKind)]),
    ...(subjectId === undefined ? [] : [eq(audit.subjectId, subjectId)]),
    ...(memberId === undefined ? [] : [eq(audit.memberId, memberId)]),
    ...(from === undefined ? [] : [gte(audit.at, from)]),
    ...(to === undefined ? [] : [lt(audit.at, to)]),
  ]
}

const header = ['id', 'at', 'actor', 'act', 'subjectKind', 'subjectId', 'memberId', 'details', 'no', 'hash']

async function* filePages(db: Db, range: { from: number; to: number }): AsyncGenerator<Cell[][]> {
  const read = (after: { row: AuditRow } | undefined) =>
    db
      .select({ row: audit, no: auditLink.no, hash: auditLink.hash })
      .from(audit)
      .leftJoin(auditLink, eq(auditLink.auditId, audit.id))
      .where(and(...conditions(range), after && gt(audit.id, after.row.id)))
      .orderBy(asc(audit.id))
      .limit(filePageRows)
  for await (const rows of pagesByRow(filePageRows, read)) {
    yield rows.map(({ row: { id, at, actor, act, subjectKind, subjectId, memberId, details }, no, hash }) => [
      id,
      isoTime(at),
      actor,
      act,
      subjectKind,
      subjectId,
      memberId,
      details,
      no,
      hash,
    ])
  }
}

function toAuditEntry(row: typeof audit.$inferSelect): AuditEntry {
  const { id, at, actor, act, subjectKind, subjectId, memberId, details } = row
  return {
    id: String(id),
    at,
    actor,
    act,
    subject: { kind: subjectKind, id: subjectId },
    memberId,
    details: JSON.parse(details) as Record<string, unknown>,
  }
}
