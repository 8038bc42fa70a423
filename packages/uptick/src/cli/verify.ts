import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { head } from '../../../../contract/products.ts'
import { parseCheckpoint } from '../../../../contract/tlog/checkpoint.ts'
import { parseNote, parseVerifierKey } from '../../../../contract/tlog/note.ts'
import { verifyProof } from '../proof.ts'
import type { HeadsToCompare, ProofVerdict } from '../proof.ts'
import { UsageError, exitCodes } from './command.ts'
import type { Command, CommandContext } from './command.ts'
import { compareWithHistory } from './exchangeHistory.ts'
import { onlyFile, readText } from './files.ts'
import { fetchCheckpoint, isContinuedBy, logKeyOf } from './logCalls.ts'
import { headAt } from './venueCalls.ts'

export const verify: Command = {
  name: 'verify',
  usage: 'PROOF.json [--heads FILE] [--venue URL] [--log KEY] [--witness KEY …] [--against FILE] [--json]',
  help: `Recomputes the result of an order from the file alone. --heads compares it with heads from elsewhere, a JSON list of
{seq, hash} of the same product; --venue with what the venue states now. --log needs the public log's signature by this key and
the cosignature of every --witness; with --venue too, the venue's log must continue the one in the file. --against compares each
tick with the trades that the exchange publishes: a file of data.binance.vision, trades or aggTrades, .zip, .csv or .csv.gz.
Exit code 0: it holds. 1: refuted, with the step of docs/protocol.md that fails. 2: the input cannot be used.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        heads: { type: 'string' },
        venue: { type: 'string' },
        log: { type: 'string' },
        witness: { type: 'string', multiple: true, default: [] },
        against: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const path = onlyFile(positionals, 'proof')
    const file = readJson(path)
    const heads = [
      ...(values.heads === undefined ? [] : readHeads(values.heads)),
      ...(values.venue === undefined ? [] : await venueHeads(values.venue, file, context)),
    ]
    const { log: logKey, witness: logWitnesses, venue } = values
    if (logKey === undefined && logWitnesses.length > 0) throw new UsageError('--witness needs --log')
    const log = logKey === undefined ? null : { logKey, logWitnesses, venue }
    const recomputed = await verifyProof(file, heads, log ?? undefined)
    if (recomputed.kind === 'unusable') throw new UsageError(`${path}: ${recomputed.why}`)
    const missing = log && recomputed.kind === 'holds' ? await findLogFault(recomputed, file, log) : null
    const logged: Verdict =
      missing === null || recomputed.kind === 'refuted'
        ? recomputed
        : { kind: 'refuted', orderNo: recomputed.orderNo, step: 'log', found: { why: missing } }
    const verdict = values.against === undefined ? logged : await compare(logged, file, values.against)
    if (values.json) context.print(JSON.stringify(verdict))
    else if (verdict.kind === 'holds') {
      const { orderNo, rule, ticks, headsMet, productId, logged } = verdict
      context.print(
        `holds: order ${orderNo} by rule ${rule}, ${ticks} ticks of ${productId}, ${headsMet} heads met`,
      )
      if (logged !== null)
        context.print(
          `public log: entry ${logged.index} of ${new Date(logged.at).toISOString()}, witnesses: ${logged.witnesses.join(', ') || 'none'}`,
        )
      if (verdict.published !== undefined)
        context.print(
          `exchange: ${verdict.published} ticks are those that it published, none between them left out`,
        )
    } else {
      context.print(`refuted: order ${verdict.orderNo}, step "${verdict.step}"`)
      for (const [name, value] of Object.entries(verdict.found))
        context.print(`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    }
    return verdict.kind === 'holds' ? exitCodes.done : exitCodes.refuted
  },
}

type Refuted = Extract<ProofVerdict, { kind: 'refuted' }>
/** `history`: a tick is not what the exchange published. */
type Verdict =
  | (Extract<ProofVerdict, { kind: 'holds' }> & { published?: number })
  | (Omit<Refuted, 'step'> & { step: Refuted['step'] | 'history' })

/** Compares the ticks of a proof that holds with the exchange's own file. */
async function compare(verdict: Verdict, file: unknown, path: string): Promise<Verdict> {
  if (verdict.kind === 'refuted') return verdict
  const { ticks, differs } = await compareWithHistory(file, path)
  if (differs === null) return { ...verdict, published: ticks }
  return { kind: 'refuted', orderNo: verdict.orderNo, step: 'history', found: differs }
}

type LogToCompare = { logKey: string; logWitnesses: readonly string[]; venue: string | undefined }
const fileWithLog = z.object({ log: z.object({ checkpoint: z.string() }) })

/** What is missing for the public log to have the proof's ticks, as a sentence; null: nothing. */
async function findLogFault(
  { logged }: Extract<ProofVerdict, { kind: 'holds' }>,
  file: unknown,
  { logKey, logWitnesses, venue }: LogToCompare,
): Promise<string | null> {
  const key = logKeyOf(logKey)
  if (logged === null) return 'the file has no entry of a log that this key signed'
  for (const text of logWitnesses) {
    const witness = parseVerifierKey(text)
    if (witness?.type !== 'cosignature') throw new UsageError(`${text} is no key of a witness`)
    if (!logged.witnesses.includes(witness.name)) return `${witness.name} has not cosigned it`
  }
  if (venue === undefined) return null
  const note = parseNote(fileWithLog.parse(file).log.checkpoint)
  const inFile = note && parseCheckpoint(note.text)
  const now = await fetchCheckpoint(venue, key)
  if (now === null) return 'the venue has another log now: its checkpoint is not signed by this key'
  const continues = inFile === null ? false : await isContinuedBy(venue, inFile, now)
  if (continues === true) return null
  const sizes = `size ${inFile?.size} and ${now.size}`
  return continues === false
    ? `the venue's log does not continue the one in the file: ${sizes}`
    : `the venue does not show that its log continues the one in the file: a tile is missing or damaged, ${sizes}`
}

function readJson(path: string): unknown {
  const { text } = readText(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not JSON`)
  }
}

function readHeads(path: string): HeadsToCompare {
  const parsed = z.array(head).safeParse(readJson(path))
  if (!parsed.success) throw new UsageError(`${path} is no list of {seq, hash}`)
  return parsed.data
}

const ends = z.object({
  order: z.object({ productId: z.string() }),
  before: z.nullable(head),
  after: z.nullable(head),
})

/** The venue's own heads at both ends of the proof, now. Those that it no longer stores are left out. */
async function venueHeads(url: string, file: unknown, { note }: CommandContext): Promise<HeadsToCompare> {
  const parsed = ends.safeParse(file)
  if (!parsed.success) return []
  const { order, before, after } = parsed.data
  const heads = []
  for (const end of [before, after]) {
    if (end === null) continue
    const stated = await headAt(url, order.productId, end.seq)
    if (stated === null) note(`the venue no longer has tick ${end.seq} of ${order.productId}: not compared`)
    else heads.push(stated)
  }
  return heads
}
