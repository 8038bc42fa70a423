import * as z from 'zod/mini'
import { parseCheckpoint } from '../../../../contract/tlog/checkpoint.ts'
import { parseNote } from '../../../../contract/tlog/note.ts'
import type { VerifierKey } from '../../../../contract/tlog/note.ts'
import { verifyProof } from '../proof.ts'
import type { HeadsToCompare, ProofVerdict } from '../proof.ts'
import { compareWithHistory } from './exchangeHistory.ts'
import { isContinuedBy, logKeyOf, readCheckpoint, witnessKeyOf } from './logFiles.ts'
import type { LogFiles } from './logFiles.ts'

type Holds = Extract<ProofVerdict, { kind: 'holds' }>
type Refuted = Extract<ProofVerdict, { kind: 'refuted' }>
/** `history`: a tick is not what the exchange published. */
export type Verdict =
  | (Holds & { published?: number })
  | (Omit<Refuted, 'step'> & { step: Refuted['step'] | 'history' })
  | Extract<ProofVerdict, { kind: 'unusable' }>

/** The public log that a proof must be in; `venue` is the venue's own one, which must continue it. */
export type LogToCompare = {
  key: VerifierKey
  witnesses: readonly VerifierKey[]
  /** Both as text. */
  keys: { logKey: string; logWitnesses: readonly string[] }
  venue: LogFiles | null
}

/** @throws UsageError if a key is none */
export const logToCompare = (
  logKey: string,
  logWitnesses: readonly string[],
  venue: LogFiles | null,
): LogToCompare => ({
  key: logKeyOf(logKey),
  witnesses: logWitnesses.map(witnessKeyOf),
  keys: { logKey, logWitnesses },
  venue,
})

/** What else a proof is compared with. `against` are files of the exchange. */
export type Comparison = { heads: HeadsToCompare; log: LogToCompare | null; against: readonly string[] }

/**
 * Recomputes a proof file, and compares it with what there is.
 * @param file its parsed JSON
 * @throws UsageError if it cannot be compared with a log or file
 */
export async function verdictOf(file: unknown, { heads, log, against }: Comparison): Promise<Verdict> {
  const recomputed = await verifyProof(file, heads, log?.keys)
  if (recomputed.kind !== 'holds') return recomputed
  const { orderNo } = recomputed
  const missing = log && (await findLogFault(recomputed, file, log))
  if (missing !== null) return { kind: 'refuted', orderNo, step: 'log', found: { why: missing } }
  if (against.length === 0) return recomputed
  const { ticks, differs } = await compareWithHistory(file, against)
  if (differs !== null) return { kind: 'refuted', orderNo, step: 'history', found: differs }
  return { ...recomputed, published: ticks }
}

const fileWithLog = z.object({ log: z.object({ checkpoint: z.string() }) })

/** What is missing for the public log to have the proof's ticks, as a sentence; null: nothing. */
async function findLogFault(
  { logged }: Holds,
  file: unknown,
  { key, witnesses, venue }: LogToCompare,
): Promise<string | null> {
  if (logged === null) return 'the file has no entry of a log that this key signed'
  const silent = witnesses.find(({ name }) => !logged.witnesses.includes(name))
  if (silent) return `${silent.name} has not cosigned it`
  if (venue === null) return null
  const note = parseNote(fileWithLog.parse(file).log.checkpoint)
  const inFile = note && parseCheckpoint(note.text)
  const now = await readCheckpoint(venue, key)
  if (now === null) return 'the venue has another log now: its checkpoint is not signed by this key'
  const continues = inFile === null ? false : await isContinuedBy(venue, inFile, now)
  if (continues === true) return null
  const sizes = `size ${inFile?.size} and ${now.size}`
  return continues === false
    ? `the venue's log does not continue the one in the file: ${sizes}`
    : `the venue does not show that its log continues the one in the file: a tile is missing or damaged, ${sizes}`
}

/** A verdict for people, a line each. */
export function linesOfVerdict(verdict: Exclude<Verdict, { kind: 'unusable' }>): string[] {
  if (verdict.kind === 'refuted')
    return [`refuted: order ${verdict.orderNo}, step "${verdict.step}"`, ...linesOfFound(verdict.found)]
  const { orderNo, rule, ticks, headsMet, productId, logged, published } = verdict
  const lines = [
    `holds: order ${orderNo} by rule ${rule}, ${ticks} ticks of ${productId}, ${headsMet} heads met`,
  ]
  if (logged !== null)
    lines.push(
      `public log: entry ${logged.index} of ${new Date(logged.at).toISOString()}, witnesses: ${logged.witnesses.join(', ') || 'none'}`,
    )
  if (published !== undefined)
    lines.push(`exchange: ${published} ticks are those that it published, none between them left out`)
  return lines
}

/** What differs, a line for each part. */
export const linesOfFound = (found: Record<string, unknown>): string[] =>
  Object.entries(found).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
