import * as z from 'zod/mini'
import { assertNever } from '../../../../contract/units.ts'
import { overlaps, type Gap } from '../../../../contract/settle.ts'
import { parseCheckpoint } from '../../../../contract/tlog/checkpoint.ts'
import { parseNote, type VerifierKey } from '../../../../contract/tlog/note.ts'
import { verifyProof, type HeadsToCompare, type KnownKey, type ProofVerdict } from '../proof.ts'
import { compareWithHistory } from './exchangeHistory.ts'
import { isContinuedBy, logKeyOf, readCheckpoint, witnessKeyOf, type LogFiles } from './logFiles.ts'
import { statedGap } from './venueCalls.ts'

type Holds = Extract<ProofVerdict, { kind: 'holds' }>
type Refuted = Extract<ProofVerdict, { kind: 'refuted' }>
/** `history`: a tick is not what the exchange published; `gaps`: the gaps are not those that the venue states. */
export type Verdict =
  | (Holds & { gaps: 'venue' | 'file'; published?: number })
  | (Omit<Refuted, 'step'> & { step: Refuted['step'] | 'history' | 'gaps' })
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

/** What else a proof is compared with: `against` are files of the exchange, `stated` the keys that the venue states, used only if `log` is null. */
export type Comparison = {
  heads: HeadsToCompare
  log: LogToCompare | null
  stated?: readonly KnownKey[]
  /** The venue's gaps in the order's time; null or left out: not compared. */
  gaps?: readonly Gap[] | null
  against: readonly string[]
}

/**
 * Recomputes a proof file, and compares it with what there is.
 * @param file its parsed JSON
 * @throws UsageError if it cannot be compared with a log or file
 */
export async function verdictOf(
  file: unknown,
  { heads, log, stated = [], gaps = null, against }: Comparison,
): Promise<Verdict> {
  const given: KnownKey[] = log === null ? [] : [{ key: log.keys.logKey, from: 'given' }]
  const recomputed = await verifyProof(file, heads, log?.keys, given.length > 0 ? given : stated)
  if (recomputed.kind !== 'holds') return recomputed
  const { orderNo } = recomputed
  const missing = log && (await findLogFault(recomputed, file, log))
  if (missing !== null) return { kind: 'refuted', orderNo, step: 'log', found: { why: missing } }
  const otherGap = gaps && differingGap(file, gaps)
  if (otherGap) return { kind: 'refuted', orderNo, step: 'gaps', found: otherGap }
  const holds = { ...recomputed, gaps: gaps === null ? ('file' as const) : ('venue' as const) }
  if (against.length === 0) return holds
  const { ticks, differs } = await compareWithHistory(file, against)
  if (differs !== null) return { kind: 'refuted', orderNo, step: 'history', found: differs }
  return { ...holds, published: ticks }
}

const fileWithGaps = z.object({
  order: z.object({ acceptedAt: z.int(), closeAt: z.int() }),
  gaps: z.array(statedGap),
})

/** A gap that the venue states and the file leaves out, or the reverse: with it, or without it, an order is refunded. */
function differingGap(file: unknown, stated: readonly Gap[]): Record<string, unknown> | null {
  const { order, gaps } = fileWithGaps.parse(file)
  const inFile = gaps.filter((one) => overlaps(one, order.acceptedAt, order.closeAt))
  // A gap that lasted when the file was made may have ended since.
  const isSame = (own: Gap, venues: Gap): boolean =>
    own.from === venues.from && (own.to === null || own.to === venues.to)
  const leftOut = stated.find((venues) => !inFile.some((own) => isSame(own, venues)))
  if (leftOut) return { statedByVenue: leftOut, inFile: null }
  const madeUp = inFile.find((own) => !stated.some((venues) => isSame(own, venues)))
  return madeUp ? { statedByVenue: null, inFile: madeUp } : null
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
  const { orderNo, rule, ticks, headsMet, productId, logged, signed, prices, gaps, published } = verdict
  const lines = [
    `holds: order ${orderNo} by rule ${rule}, ${ticks} ticks of ${productId}, ${headsMet} heads met`,
    signedLine(signed),
    `prices: ${pricesText[prices]}; ${interruptionsText[gaps]}`,
  ]
  if (logged !== null)
    lines.push(
      `public log: entry ${logged.index} of ${new Date(logged.at).toISOString()}, witnesses: ${logged.witnesses.join(', ') || 'none'}`,
    )
  if (published !== undefined)
    lines.push(`exchange: ${published} ticks are those that it published, none between them left out`)
  return lines
}

const knownFrom = {
  given: 'given with --log',
  venue: 'stated by the venue',
  device: 'of this device',
} as const

const pricesText = {
  log: 'in the public log',
  venue: 'those that the venue states now',
  file: 'nobody has signed them: they could be made up, and so could the result',
} as const

const interruptionsText = {
  venue:
    'gaps are those that the venue states, changes of source as the file states them: no signature covers these',
  file: 'gaps and changes of source are as the file states them: no signature covers them, so the file alone cannot show them',
} as const

function signedLine(signed: Holds['signed']): string {
  switch (signed.by) {
    case 'venue':
      return `order: signed by this venue with ${signed.key}, ${knownFrom[signed.from]}`
    case 'other key':
      return `order: signed by a key that is not the venue's, ${signed.keys.join(', ')}: it may be anybody's`
    case 'unknown key':
      return `order: signed by an unknown key, ${signed.keys.join(', ')}: it may be anybody's`
    case 'nobody':
      return 'order: not signed: this only shows that the file is consistent'
    case 'unverified':
      return 'order: the signature cannot be verified here: this only shows that the file is consistent'
    default:
      return assertNever(signed)
  }
}

/** What differs, a line for each part. */
export const linesOfFound = (found: Record<string, unknown>): string[] =>
  Object.entries(found).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
