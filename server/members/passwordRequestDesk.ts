import { and, desc, eq } from 'drizzle-orm'
import type { ReviewStatus } from '../../contract/wallet.ts'
import type { Audit } from '../audit/audit.ts'
import { decisionAct, decisionOf } from '../audit/decision.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { passwordRequest } from '../db/schema/passwordRequest.ts'
import type { PasswordKind, PasswordRequestRow } from '../db/schema/passwordRequest.ts'
import { Refusal } from '../http/refusal.ts'
import type { Messages } from '../messages/messages.ts'
import { below, pageOf } from '../pages.ts'
import type { List, Page } from '../pages.ts'
import type { Clock } from '../ports.ts'

/** A request as the desk sees it: never the password, nor its hash. */
export type DeskPasswordRequest = Omit<PasswordRequestRow, 'newHash' | 'sessionId'>

/** What customer service does with requests for new passwords. */
export type PasswordRequestDesk = {
  list(page: Page, status?: ReviewStatus): Promise<List<DeskPasswordRequest>>
  show(id: string): Promise<DeskPasswordRequest>
  /** The password counts from now on, and the member's other sessions end. Throws 404, or 409 `CONFLICT`. */
  approve(id: string, actor: string): Promise<DeskPasswordRequest>
  reject(id: string, reason: string, actor: string): Promise<DeskPasswordRequest>
}

export type NewHash = { memberId: string; kind: PasswordKind; newHash: string }

/** Where the member asked. */
export const link = 'pages/password/password'

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  audit: Audit
  messages: Pick<Messages, 'send'>
  /** Answers with what tells the member, once it is committed. */
  takeEffect: (tx: DbTransaction, change: NewHash) => Promise<() => void>
  endOtherSessions: (memberId: string, sessionId: string) => Promise<void>
}

export function createPasswordRequestDesk(parts: Parts): PasswordRequestDesk {
  const { db, clock, audit, messages, takeEffect, endOtherSessions } = parts

  const decide = async (id: string, actor: string, reason: string | null): Promise<DeskPasswordRequest> => {
    const { row, note } = await db.transaction(async (tx) => {
      const [found] = await tx.select().from(passwordRequest).where(eq(passwordRequest.id, id)).for('update')
      if (!found) throw new Refusal(404, 'NOT_FOUND')
      const { memberId, kind, newHash } = found
      const set = {
        status: reason === null ? 'successful' : 'failed',
        newHash: null,
        ...decisionOf(found, { actor, reason }, clock),
      } as const
      await tx.update(passwordRequest).set(set).where(eq(passwordRequest.id, id))
      const act = decisionAct(reason)
      const subject = { kind: 'password-request', id }
      const details = { kind, ...(reason !== null && { reason }) }
      await audit.write(tx, { actor, act, subject, memberId, details })
      const told =
        reason === null
          ? takeEffect(tx, { memberId, kind, newHash: newHash ?? missing() })
          : messages.send(tx, { memberId, key: 'passwordRequestFailed', params: { kind, reason }, link })
      const decided: PasswordRequestRow = { ...found, ...set }
      return { row: decided, note: await told }
    })
    note()
    if (reason === null) await endOtherSessions(row.memberId, row.sessionId)
    return listed(row)
  }

  return {
    list: async (page, status) => {
      const rows = await db
        .select()
        .from(passwordRequest)
        .where(
          and(
            status && eq(passwordRequest.status, status),
            below(passwordRequest.createdAt, passwordRequest.id, page),
          ),
        )
        .orderBy(desc(passwordRequest.createdAt), desc(passwordRequest.id))
        .limit(page.limit + 1)
      return pageOf(rows, page.limit, listed, (row) => [row.createdAt, row.id])
    },
    show: async (id) => {
      const [row] = await db.select().from(passwordRequest).where(eq(passwordRequest.id, id))
      if (!row) throw new Refusal(404, 'NOT_FOUND')
      return listed(row)
    },
    approve: (id, actor) => decide(id, actor, null),
    reject: (id, reason, actor) => decide(id, actor, reason),
  }
}

function listed(row: PasswordRequestRow): DeskPasswordRequest {
  const { id, memberId, kind, status, reason, createdAt, decidedAt, decidedBy, version } = row
  return { id, memberId, kind, status, reason, createdAt, decidedAt, decidedBy, version }
}

function missing(): never {
  throw new Error('A request under review without its hash.')
}
