import { and, desc, eq, lt } from 'drizzle-orm'
import { readCursor } from '../cursor.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { audit } from '../db/schema/audit.ts'
import { toPagedList } from '../paging.ts'
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
