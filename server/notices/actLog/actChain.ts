import { hash } from 'node:crypto'
import { asc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { audit, auditHead, auditLink, type AuditRow } from '../schema.ts'

/** The number of a link of the chain, and its hash. */
export type ActChainHead = { no: number; hash: string }
export type ActChainCheck = { rows: number; head: ActChainHead; findings: string[] }
type Link = typeof auditLink.$inferSelect

export const actChainGenesis: ActChainHead = { no: 0, hash: '0'.repeat(64) }
const linksPerRead = 1000
/** More say nothing new. */
const findingsMax = 100

/** The hash of a row after the hash before it, as the database makes it (`link_audit_row`). */
export function actHash(before: string, row: AuditRow): string {
  const { id, at, actor, act, subjectKind, subjectId, memberId, details } = row
  const line = JSON.stringify([id, at, actor, act, subjectKind, subjectId, memberId, details])
  return hash('sha256', before + line)
}

/**
 * Computes the hash chain of the act log again. A changed row is one finding: the chain is followed from its stored hash.
 * @param known a head of an earlier check, which must still be part of the chain
 * @param pause waited for after each page of rows
 */
export async function verifyActChain(
  db: Db,
  known: ActChainHead | null = null,
  pause: () => Promise<unknown> = async () => undefined,
): Promise<ActChainCheck> {
  // Read first: what is added meanwhile comes after it.
  const [stored = actChainGenesis] = await db.select().from(auditHead)
  const check: ActChainCheck = { rows: 0, head: actChainGenesis, findings: [] }
  const add = (finding: string): void => {
    if (check.findings.length < findingsMax) check.findings.push(finding)
  }
  for (;;) {
    const page = await readLinks(db, check.head.no)
    for (const { link, row } of page) {
      if (link.no !== check.head.no + 1) add(missingLinks(check.head.no + 1, link.no - 1))
      else if (row === null) add(`row ${link.auditId} of the act log (no ${link.no}) is missing`)
      else if (actHash(check.head.hash, row) !== link.hash)
        add(`row ${link.auditId} of the act log (no ${link.no}) is not the one that was written there`)
      if (link.no === known?.no && link.hash !== known.hash)
        add(`the act log up to row ${link.auditId} (no ${link.no}) was written anew since an earlier check`)
      check.rows += 1
      check.head = { no: link.no, hash: link.hash }
    }
    if (page.length < linksPerRead) break
    await pause()
  }
  const end = Math.max(stored.no, known?.no ?? 0)
  if (check.head.no < end) add(missingLinks(check.head.no + 1, end))
  for (const { id } of await readUnlinked(db)) add(`row ${id} of the act log is not part of its chain`)
  return check
}

const missingLinks = (from: number, to: number): string =>
  from === to
    ? `row no ${from} of the act log is missing`
    : `rows no ${from} to ${to} of the act log are missing`

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
