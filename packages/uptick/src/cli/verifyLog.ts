import type { VerifierKey } from '../../../../contract/tlog/note.ts'
import { exitCodes, type CommandContext } from './command.ts'
import { readCheckpoint, type LogFiles, type SignedCheckpoint } from './logFiles.ts'
import { LogFaultError } from './logFault.ts'
import { LogLeaves, type LogSpan } from './logLeaves.ts'
import { readTree } from './logTree.ts'
import { linesOfFound } from './proofVerdict.ts'
import { showProgress } from './untilEnd.ts'

/** What a log shows from its first leaf to the newest; `found` names the first tile or leaf that is wrong. */
export type LogVerdict =
  | { kind: 'holds'; checkpoint: SignedCheckpoint; span: LogSpan }
  | { kind: 'refuted'; found: LogFaultError['found'] }

/**
 * Reads the whole of a public log and recomputes its signed root from the leaves. Keeps the tiles that are on the way and
 * one hash for each 256 leaves.
 * @param onLeaves called with the number of leaves so far and their total
 * @throws UsageError if the log has no checkpoint or cannot be read
 */
export async function verifyLogFiles(
  files: LogFiles,
  { key, witnesses }: { key: VerifierKey; witnesses: readonly VerifierKey[] },
  onLeaves: (leaves: number, size: number) => void = () => undefined,
): Promise<LogVerdict> {
  try {
    const checkpoint = await readCheckpoint(files, key, witnesses)
    if (checkpoint === null) throw new LogFaultError({ why: `the checkpoint is not signed by ${key.name}` })
    const silent = witnesses.find((witness) => checkpoint.cosignatures.every((by) => by.key !== witness))
    if (silent) throw new LogFaultError({ why: `${silent.name} has not cosigned the checkpoint` })
    const span = new LogLeaves()
    for await (const bundle of readTree(files, checkpoint)) {
      span.add(bundle)
      onLeaves(span.leaves, checkpoint.size)
    }
    const last = span.names.at(-1)
    if (last !== undefined && last.origin !== checkpoint.origin)
      throw new LogFaultError({ leaf: span.leaves - 1, why: `the newest leaf is of ${last.origin}` })
    return { kind: 'holds', checkpoint, span }
  } catch (error) {
    if (error instanceof LogFaultError) return { kind: 'refuted', found: error.found }
    throw error
  }
}

/** `verify` without a proof: of a whole log, from a venue or a folder. */
export async function verifyLog(
  files: LogFiles,
  { json, ...keys }: { key: VerifierKey; witnesses: readonly VerifierKey[]; json: boolean },
  { print }: CommandContext,
): Promise<number> {
  let progress = 'no leaf yet'
  const stopProgress = showProgress(() => progress)
  const verdict = await verifyLogFiles(files, keys, (leaves, size) => {
    progress = `${leaves} of ${size} leaves`
  }).finally(stopProgress)
  if (json) print(JSON.stringify(shownVerdict(verdict)))
  else for (const line of linesOf(verdict)) print(line)
  return verdict.kind === 'holds' ? exitCodes.done : exitCodes.refuted
}

/** More products than this are counted. */
const productsMax = 20

function linesOf(verdict: LogVerdict): string[] {
  if (verdict.kind === 'refuted') return ['refuted: the public log', ...linesOfFound(verdict.found)]
  const { checkpoint, span } = verdict
  const { leaves, from, to, missingSeconds, heads, names } = span
  const text = (at: number | null): string => (at === null ? '–' : new Date(at).toISOString())
  const products = [...heads.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  const listed = products.length > productsMax ? '' : `: ${products.join(', ')}`
  const witnesses = checkpoint.cosignatures.map(
    (by) => `${by.key.name} at ${new Date(by.seconds * 1000).toISOString()}`,
  )
  return [
    `holds: ${leaves} leaves of ${checkpoint.origin} give the signed root`,
    `from ${text(from)} to ${text(to)}, ${missingSeconds} seconds without a leaf`,
    `${products.length} products${listed}`,
    ...names.slice(1).map(({ origin, leaf }) => `another name from leaf ${leaf} on: ${origin}`),
    `witnesses: ${witnesses.join(', ') || 'none asked for'}`,
  ]
}

/** What `--json` prints. */
function shownVerdict(verdict: LogVerdict): unknown {
  if (verdict.kind === 'refuted') return verdict
  const { checkpoint, span } = verdict
  const { from, to, missingSeconds, heads, names } = span
  const witnesses = checkpoint.cosignatures.map((by) => ({ name: by.key.name, at: by.seconds * 1000 }))
  const { origin, size } = checkpoint
  return {
    kind: 'holds',
    origin,
    size,
    from,
    to,
    missingSeconds,
    products: Object.fromEntries(heads),
    names,
    witnesses,
  }
}
