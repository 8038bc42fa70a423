import { and, desc, eq, lt } from 'drizzle-orm'
import { readCursor } from '../cursor.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { audit } from '../db/schema/audit.ts'
import { toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock } from '../ports.ts'

/** Something that was done from the desk. `details` holds no personal data: it is kept for good. */
export type AuditEvent = {
  /** Who did it: the name given at the desk. */
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

/** The record of what the desk did. The database refuses to change or remove its rows. */
export type Audit = {
  /** Inside the act's own transaction, so that none happens unrecorded. */
  write(tx: Db | DbTransaction, act: AuditEvent): Promise<void>
  /** Newest first. */
  list(
    page: PageRequest,
    filters?: { subjectKind?: string; subjectId?: string },
  ): Promise<PagedList<AuditEntry>>
}

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
    list: async (page, { subjectKind, subjectId } = {}) => {
      const after = readCursor(page.cursor)
      const rows = await db
        .select()
        .from(audit)
        .where(
          and(
            after ? lt(audit.id, after[0]) : undefined,
            subjectKind === undefined ? undefined : eq(audit.subjectKind, subjectKind),
            subjectId === undefined ? undefined : eq(audit.subjectId, subjectId),
          ),
        )
        .orderBy(desc(audit.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, toAuditEntry, ({ id }) => [id, ''])
    },
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
