import type { LedgerCheck } from '../ledger/ledgerCheck.ts'
import type { AuditChainCheck } from '../audit/auditChain.ts'
import type { LogCorruptError } from '../market/log/logCorruptError.ts'
import { readWholeLogCheck, writeAuditPart, writeVerifiedHeads, writeWholeLogCheck } from './record.ts'
import type { AuditRecord, WholeLogCheck } from './record.ts'
import type { ResultAudit } from './results.ts'
import type { SelfAuditParts } from './selfAudit.ts'

/** Of one run, in the venue's audit. */
const findingsMax = 20

/** Writes each difference that a check found to the audit. */
async function writeFindings(
  { db, audit }: Pick<SelfAuditParts, 'db' | 'audit'>,
  check: keyof AuditRecord | 'gaps',
  findings: readonly string[],
): Promise<void> {
  for (const finding of findings.slice(0, findingsMax)) {
    const subject = { kind: 'self-audit', id: check }
    await audit.write(db, { actor: 'venue', act: 'difference found', subject, details: { finding } })
  }
}

/** Reports differences between the gaps of this node and those of the database, each on a line of its own. */
export async function reportGaps(parts: SelfAuditParts, findings: readonly string[]): Promise<void> {
  for (const finding of findings.slice(0, findingsMax))
    parts.report(`the self-audit found a difference in the gaps: ${finding}`, new AuditDifferenceError())
  await writeFindings(parts, 'gaps', findings)
}

/** Stores what a check found, and reports each difference to the operator. */
export function createStore(parts: SelfAuditParts) {
  const { db, fence, clock, report } = parts
  const reportAll = async (check: keyof AuditRecord, findings: readonly string[]): Promise<void> => {
    if (findings.length > 0)
      report(`the self-audit found differences in the ${check}: see the audit`, new AuditDifferenceError())
    await writeFindings(parts, check, findings)
  }
  const store = async <K extends keyof AuditRecord>(
    part: K,
    valueAfter: (before: AuditRecord[K]) => AuditRecord[K],
    findings: readonly string[],
  ): Promise<void> => {
    await fence.transaction(db, (tx) => writeAuditPart(tx, part, valueAfter))
    await reportAll(part, findings)
  }
  const wholeLog = (check: WholeLogCheck) => fence.transaction(db, (tx) => writeWholeLogCheck(tx, check))
  const log = ({ ticks, ms, findings }: { ticks: number; ms: number; findings: readonly string[] }) => {
    const at = clock.now()
    const after = (before: AuditRecord['log']) => ({
      at,
      ms,
      ticks: (before?.ticks ?? 0) + ticks,
      damaged: (before?.damaged ?? 0) + findings.length,
      damagedAt: findings.length > 0 ? at : (before?.damagedAt ?? null),
    })
    return store('log', after, findings)
  }
  let damagedPlace = ''
  return {
    /** A place of the log that a check came upon; counted unless it is known. */
    damage: async ({ place, message }: LogCorruptError): Promise<void> => {
      if (place === damagedPlace) return
      damagedPlace = place
      const { at, places } = (await readWholeLogCheck(db)) ?? { at: 0, places: [] }
      if (places.includes(place)) return
      await wholeLog({ at, places: [...places, place] })
      await log({ ticks: 0, ms: 0, findings: [message] })
    },
    log,
    wholeLog,
    heads: (heads: Parameters<typeof writeVerifiedHeads>[1]) =>
      fence.transaction(db, (tx) => writeVerifiedHeads(tx, heads)),
    results: (until: number, { orders, findings }: ResultAudit) => {
      const at = clock.now()
      const after = (before: AuditRecord['results']) => ({
        at,
        until,
        orders: (before?.orders ?? 0) + orders,
        differing: (before?.differing ?? 0) + findings.length,
        differedAt: findings.length > 0 ? at : (before?.differedAt ?? null),
      })
      return store('results', after, findings)
    },
    books: ({ postings, findings, ms }: LedgerCheck & { ms: number }) => {
      const value = { at: clock.now(), ms, postings, differing: findings.length }
      return store('books', () => value, findings)
    },
    actions: ({ rows, head, findings, ms }: AuditChainCheck & { ms: number }) => {
      const value = { at: clock.now(), ms, rows, differing: findings.length, head }
      return store('actions', () => value, findings)
    },
  }
}

/** The venue stored something that does not follow from its log or its causes. */
class AuditDifferenceError extends Error {
  override readonly name = 'AuditDifferenceError'
}
