import { and, eq, gt, sql } from 'drizzle-orm'
import { hourMs } from '../../../contract/time.ts'
import type { Look, Lookers } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { queueClaim, staff } from '../schema.ts'

/** Reads for the log of acts who is of the staff, and whose requests they have claimed. */
export const lookers: Lookers = { isOfStaff, holdsRequestOf }

async function isOfStaff(tx: Db | DbTransaction, name: string): Promise<boolean> {
  const rows = await tx.select({ id: staff.id }).from(staff).where(eq(staff.name, name)).limit(1)
  return rows.length > 0
}

async function holdsRequestOf(tx: DbTransaction, { actor, memberId, now }: Look): Promise<boolean> {
  const of = (table: string) =>
    sql`EXISTS (SELECT FROM ${sql.identifier(table)} r WHERE r.id = ${queueClaim.itemId} AND r.member_id = ${memberId})`
  const tables = ['deposit', 'withdrawal', 'verification', 'password_request']
  const hour = now - hourMs
  // A conversation that is unread only because it was reopened is no work that came from the member.
  const isUnanswered = sql`(${queueClaim.itemId} = ${memberId} AND NOT EXISTS (SELECT FROM audit a
    WHERE a.member_id = ${memberId} AND a.act = 'reopen' AND (a.actor = ${actor} OR a.at > ${hour}::bigint)
      AND NOT EXISTS (SELECT FROM service_message m
        WHERE m.member_id = ${memberId} AND m.sender = 'member' AND m.at > a.at)))`
  // Nor is what one proposed oneself.
  const isProposed = sql`EXISTS (SELECT FROM proposal p
    WHERE p.id = ${queueClaim.itemId} AND p.member_id = ${memberId} AND p.proposed_by <> ${actor})`
  const isOfMember = sql.join([isUnanswered, isProposed, ...tables.map(of)], sql` OR `)
  const held = and(eq(queueClaim.claimedBy, actor), gt(queueClaim.untilAt, now), sql`(${isOfMember})`)
  const rows = await tx.select({ id: queueClaim.itemId }).from(queueClaim).where(held).limit(1)
  return rows.length > 0
}
