import { hash } from 'node:crypto'
import { asc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { audit, auditHead, auditLink } from '../db/schema/audit.ts'
import type { AuditRow } from '../db/schema/audit.ts'

/** The number of a link of the chain, and its hash. */
export type AuditHead = { no: number; hash: string }
export type AuditChainCheck = { rows: number; head: AuditHead; findings: string[] }
type Link = typeof auditLink.$inferSelect

export const auditGenesis: AuditHead = { no: 0, hash: '0'.repeat(64) }
const linksPerRead = 1000
/** More say nothing new. */
const findingsMax = 100

/** The hash of a row after the hash before it, as the database makes it (`link_audit_row`). */
export function auditHash(before: string, row: AuditRow): string {
  const { id, at, actor, act, subjectKind, subjectId, memberId, details } = row
  const line = JSON.stringify([id, at, actor, act, subjectKind, subjectId, memberId, details])
  return hash('sha256', before + line)
}

/**
 * Computes the hash chain of the audit again. A changed row is one finding: the chain is followed from its stored hash.
 * @param known a head of an earlier check, which must still be part of the chain
 * @param pause waited for after each page of rows
 */
export async function verifyAuditChain(
  db: Db,
  known: AuditHead | null = null,
  pause: () => Promise<unknown> = async () => undefined,
): Promise<AuditChainCheck> {
  // Read first: what is added meanwhile comes after it.
  const [stored = auditGenesis] = await db.select().from(auditHead)
  const check: AuditChainCheck = { rows: 0, head: auditGenesis, findings: [] }
  const add = (finding: string): void => {
    if (check.findings.length < findingsMax) check.findings.push(finding)
  }
  for (;;) {
    const page = await readLinks(db, check.head.no)
    for (const { link, row } of page) {
      if (link.no !== check.head.no + 1) add(missingLinks(check.head.no + 1, link.no - 1))
      else if (row === null) add(`row ${link.auditId} of the audit (no ${link.no}) is missing`)
      else if (auditHash(check.head.hash, row) !== link.hash)
        add(`row ${link.auditId} of the audit (no ${link.no}) is not the one that was written there`)
      if (link.no === known?.no && link.hash !== known.hash)
        add(`the audit up to row ${link.auditId} (no ${link.no}) was written anew since an earlier check`)
      check.rows += 1
      check.head = { no: link.no, hash: link.hash }
    }
    if (page.length < linksPerRead) break
    await pause()
  }
  const end = Math.max(stored.no, known?.no ?? 0)
  if (check.head.no < end) add(missingLinks(check.head.no + 1, end))
  for (const { id } of await readUnlinked(db)) add(`row ${id} of the audit is not part of its chain`)
  return check
}

const missingLinks = (from: number, to: number): string =>
  from === to ? `row no ${from} of the audit is missing` : `rows no ${from} to ${to} of the audit are missing`

function readLinks(db: Db, after: number): Promise<{ link: Link; row: AuditRow | null }[]> {
  return db
    .select({ link: auditLink, row: audit })
    .from(auditLink)
    .leftJoin(audit, eq(audit.id, auditLink.auditId))
    .where(gt(auditLink.no, after))
    .orderBy(asc(auditLink.no))
    .limit(linksPerRead)
}

const readUnlinked = (db: Db): Promise<{ id: number }[]> =>
  db
    .select({ id: audit.id })
    .from(audit)
    .leftJoin(auditLink, eq(auditLink.auditId, audit.id))
    .where(isNull(auditLink.no))
    .orderBy(asc(audit.id))
    .limit(findingsMax)
