import { UsageError } from '../../packages/uptick/src/cli/command.ts'
import { logKeyOf, witnessKeyOf } from '../../packages/uptick/src/cli/logFiles.ts'
import { logToCompare, verdictOf, type Verdict } from '../../packages/uptick/src/cli/proofVerdict.ts'
import { verifyLogFiles } from '../../packages/uptick/src/cli/verifyLog.ts'
import { proofFile } from '../../src/proof/proofFile.ts'
import { seededRandom } from '../support/random.ts'
import { cosigned, logKeys, logOf } from '../support/sampleLog.ts'
import { headAt, sampleProof } from '../support/sampleProof.ts'
import { cosignedFiles, logFiles } from '../support/wholeLog.ts'
import { findings, type Findings } from './findings.ts'

/** What of a proof file is for people, or says nothing about this order: docs/protocol.md has no step that reads it. */
const withoutMeaning = [
  /^(savedAt|watermarkAt|final)$/,
  /^(chain|rule)\b/,
  /^order\.(id|no|key|version|settledAt)$/,
  /^sources\.0\.(sinceAt|epoch|text)$/,
  /^heads\.\d+\.(watermarkAt|seenAt|from)$/,
]

/** An exported proof with all that a file can have, as text. */
function wholeFile(): string {
  const proof = { ...sampleProof(), log: cosigned(logOf()) }
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = proof.order
  const agreed = { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
  const heads = [8, 20, 30].map((seq) => {
    return { ...headAt(seq), watermark: 1, seenAt: 1, from: 'feed' as const }
  })
  return JSON.stringify(proofFile({ proof, heads, agreed, savedAt: 1 }))
}

/** The paths of the values of `a` that `b` does not have; left out is null. What `b` has more is read by nobody. */
function pathsThatDiffer(a: unknown, b: unknown, path = ''): string[] {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return (a ?? null) === (b ?? null) ? [] : [path]
  const value = (of: object, name: string): unknown => (of as Record<string, unknown>)[name]
  return Object.keys(a).flatMap((name) =>
    pathsThatDiffer(value(a, name), value(b, name), path === '' ? name : `${path}.${name}`),
  )
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const { logKey, logWitnesses } = logKeys
const verify = (file: unknown): Promise<Verdict> =>
  verdictOf(file, { heads: [], log: logToCompare(logKey, logWitnesses, null), against: [] })

/** Changes one byte of a proof file at a time, anywhere: unless no step reads it, the file is refuted or unusable. */
export async function driveProofFlips(count: number, seed: number): Promise<Findings> {
  const random = seededRandom(seed)
  const { found, expect } = findings()
  const text = wholeFile()
  const file = parsed(text)
  const own = await verify(file)
  if (own.kind !== 'holds') found.violations.push(`a file that was not changed: ${JSON.stringify(own)}`)
  while (found.tried < count) {
    const bytes = Buffer.from(text)
    const at = Math.floor(random.next() * bytes.length)
    bytes[at]! ^= 1 + Math.floor(random.next() * 255)
    const changed = parsed(bytes.toString())
    const paths = changed === undefined ? ['not JSON'] : pathsThatDiffer(file, changed)
    if (paths.every((path) => withoutMeaning.some((pattern) => pattern.test(path)))) continue
    const verdict: Verdict =
      changed === undefined ? { kind: 'unusable', why: 'not JSON' } : await verify(changed)
    // A head of another number is one that the chain no longer meets: the answer says how many it does.
    const isNamed = verdict.kind !== 'holds' || (own.kind === 'holds' && verdict.headsMet < own.headsMet)
    expect(isNamed, () => `seed ${seed}: byte ${at} is not named: ${paths.join()}`)
  }
  return found
}

/** So many bytes are changed in one log. */
const perLog = 25
const leavesMax = 1200

/** Changes one byte of a public log at a time, in any of its files: `verify` names the tile, or refuses the checkpoint. */
export async function driveTileFlips(count: number, seed: number): Promise<Findings> {
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random.next() * limit)
  const { found, expect } = findings()
  const keys = { key: logKeyOf(logKey), witnesses: logWitnesses.map(witnessKeyOf) }
  const verifyFiles = (files: ReadonlyMap<string, Uint8Array>) =>
    verifyLogFiles(async (path) => files.get(path), keys)
  let files: ReadonlyMap<string, Uint8Array> = new Map()
  while (found.tried < count) {
    if (found.tried % perLog === 0) {
      files = cosignedFiles(logFiles(1 + below(leavesMax)))
      if ((await verifyFiles(files)).kind !== 'holds')
        found.violations.push(`seed ${seed}: a log that was not changed`)
    }
    const path = [...files.keys()][below(files.size)] ?? ''
    const bytes = Uint8Array.from(files.get(path) ?? [])
    const at = below(bytes.length)
    bytes[at]! ^= 1 + below(255)
    const verdict = await verifyFiles(new Map([...files, [path, bytes]])).catch((error: unknown) => {
      if (error instanceof UsageError && path === 'checkpoint') return null
      throw error
    })
    const isNamed =
      verdict === null ||
      (verdict.kind === 'refuted' && (path === 'checkpoint' || verdict.found.tile === path))
    expect(isNamed, () => `seed ${seed}: byte ${at} of ${path}: ${JSON.stringify(verdict)}`)
  }
  return found
}
