import type { LedgerCheck } from '../../money/index.ts'
import type { ActChainCheck } from '../../notices/index.ts'
import type { LogCorruptError } from '../../platform/logCorruptError.ts'
import {
  readWholeLogCheck,
  writeFindingsOf,
  writeVerifiedHeads,
  writeWholeLogCheck,
  type NightlyFindings,
  type WholeLogCheck,
} from './findings.ts'
import type { ResultsChecked } from './results.ts'
import type { NightlyChecksParts } from './parts.ts'

/** Of one run, in the act log. */
const findingsMax = 20

/** Writes each difference that a check found to the act log. */
async function writeFindings(
  { db, actLog }: Pick<NightlyChecksParts, 'db' | 'actLog'>,
  check: keyof NightlyFindings | 'gaps',
  findings: readonly string[],
): Promise<void> {
  for (const finding of findings.slice(0, findingsMax)) {
    const subject = { kind: 'nightly-check', id: check }
    await actLog.write(db, { actor: 'venue', act: 'difference found', subject, details: { finding } })
  }
}

/** Reports differences between the gaps of this node and those of the database, each on a line of its own. */
export async function reportGaps(parts: NightlyChecksParts, findings: readonly string[]): Promise<void> {
  for (const finding of findings.slice(0, findingsMax))
    parts.report(`the nightly checks found a difference in the gaps: ${finding}`, new DifferenceError())
  await writeFindings(parts, 'gaps', findings)
}

/** Stores what a check found, and reports each difference to the operator. */
export function createStore(parts: NightlyChecksParts) {
  const { db, fence, clock, report } = parts
  const reportAll = async (check: keyof NightlyFindings, findings: readonly string[]): Promise<void> => {
    if (findings.length > 0)
      report(`the nightly checks found differences in the ${check}: see the act log`, new DifferenceError())
    await writeFindings(parts, check, findings)
  }
  const store = async <K extends keyof NightlyFindings>(
    part: K,
    valueAfter: (before: NightlyFindings[K]) => NightlyFindings[K],
    findings: readonly string[],
  ): Promise<void> => {
    await fence.transaction(db, (tx) => writeFindingsOf(tx, part, valueAfter))
    await reportAll(part, findings)
  }
  const wholeLog = (check: WholeLogCheck) => fence.transaction(db, (tx) => writeWholeLogCheck(tx, check))
  const log = ({ ticks, ms, findings }: { ticks: number; ms: number; findings: readonly string[] }) => {
    const at = clock.now()
    const after = (before: NightlyFindings['log']) => ({
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
    /** A place of the log that a check found; counted unless it is known. */
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
    results: (until: number, { orders, findings }: ResultsChecked) => {
      const at = clock.now()
      const after = (before: NightlyFindings['results']) => ({
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
    actions: ({ rows, head, findings, ms }: ActChainCheck & { ms: number }) => {
      const value = { at: clock.now(), ms, rows, differing: findings.length, head }
      return store('actions', () => value, findings)
    },
  }
}

/** The venue stored something that does not follow from its log or its causes. */
class DifferenceError extends Error {
  override readonly name = 'AuditDifferenceError'
}
