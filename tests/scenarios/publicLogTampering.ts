import type { LogProof } from '../../contract/orders.ts'
import { fromBase64, toBase64 } from '../../contract/tlog/base64.ts'
import { isContinued } from '../../contract/tlog/continuation.ts'
import { leafHash, type TreeHash } from '../../contract/tlog/merkle.ts'
import { parseTilePath } from '../../contract/tlog/tiles.ts'
import { verifyProof } from '../../packages/uptick/src/proof.ts'
import { createSigner, sha256 } from '../../server/market/publicLog/signer.ts'
import { compareLog, type LogWatchParts } from '../../src/proof/logWatch.ts'
import { proofFile } from '../../src/proof/proofFile.ts'
import { memoryLog, type MemoryLog } from '../support/memoryLog.ts'
import { seededRandom } from '../support/random.ts'
import { cosigned, logKeys, logOf, origin, signer } from '../support/sampleLog.ts'
import { sampleProof } from '../support/sampleProof.ts'
import { findings, type Findings } from './findings.ts'

type Dice = { below: (limit: number) => number; bytes: (length: number) => Uint8Array }
function diceOf(seed: number): Dice {
  const random = seededRandom(seed)
  return { below: (limit) => Math.floor(random.next() * limit), bytes: (length) => random.bytes(length) }
}

const hashOfText = (text: string): TreeHash => leafHash(Buffer.from(text), sha256)
/** How many changes are made to one log. */
const perLog = 25
const leavesMax = 700

/** A proof in a log of random leaves, and its text with one character changed at a time. */
async function makeProof({ below, bytes }: Dice) {
  const { leaf } = logOf()
  const size = 2 + below(leavesMax)
  const index = below(size)
  const leaves = Array.from({ length: size }, (_, i) => (i === index ? hashOfText(leaf) : bytes(32)))
  const log = memoryLog(leaves)
  const sign = async (upTo: number, signs = signer) =>
    signs.sign({ origin, size: upTo, root: await log.root(upTo) })
  const path = (await log.path(index)).map(toBase64)
  const proof = cosigned({ leaf, index, path, checkpoint: await sign(size) })
  return { proof, log, leaves, sign }
}
type Made = Awaited<ReturnType<typeof makeProof>>

const changeAt = (text: string, at: number, { below }: Dice): string => {
  const letters = 'ABCabc0123456789 +/=\n'
  const others = letters.replaceAll(text.charAt(at), '')
  return text.slice(0, at) + others.charAt(below(others.length)) + text.slice(at + 1)
}
const changeSomewhere = (text: string, dice: Dice): string => changeAt(text, dice.below(text.length), dice)

/** Each makes another proof from one that holds; null if it cannot from this one. */
const tamperings: Record<string, (made: Made, dice: Dice) => LogProof | null | Promise<LogProof | null>> = {
  'a character of the leaf': ({ proof }, dice) => ({ ...proof, leaf: changeSomewhere(proof.leaf, dice) }),
  'the leaf of another second': ({ proof }) => ({ ...proof, leaf: logOf({ at: 1_030_901 }).leaf }),
  'the number': ({ proof, log: { size } }, { below }) => ({
    ...proof,
    index: (proof.index + 1 + below(size - 1)) % size,
  }),
  'a byte of the path': ({ proof }, { below }) => {
    const path = [...proof.path]
    const at = below(path.length)
    const hash = fromBase64(path[at] ?? '')
    if (!hash) return null
    hash[below(hash.length)]! ^= 1 + below(255)
    path[at] = toBase64(hash)
    return { ...proof, path }
  },
  'a hash of the path left out': ({ proof }, { below }) => ({
    ...proof,
    path: proof.path.toSpliced(below(proof.path.length), 1),
  }),
  'a hash added to the path': ({ proof }, { below, bytes }) => ({
    ...proof,
    path: proof.path.toSpliced(below(proof.path.length + 1), 0, toBase64(bytes(32))),
  }),
  'the path in another order': ({ proof: { path, ...proof } }) =>
    path.length < 2 ? null : { ...proof, path: path.toReversed() },
  'a character of the checkpoint': ({ proof }, dice) => ({
    ...proof,
    checkpoint: changeSomewhere(proof.checkpoint, dice),
  }),
  'the checkpoint of another key': async ({ proof, sign, log }, { bytes }) => ({
    ...proof,
    checkpoint: await sign(log.size, createSigner(bytes(32))),
  }),
  'the checkpoint of a smaller tree': async ({ proof, sign, log }, { below }) => ({
    ...proof,
    checkpoint: await sign(1 + below(log.size - 1)),
  }),
  'a leaf that was left out of the tree': async ({ proof, leaves }, { bytes }) => {
    const log = memoryLog(leaves.with(proof.index, bytes(32)))
    return { ...proof, checkpoint: signer.sign({ origin, size: log.size, root: await log.root() }) }
  },
}
const kinds = Object.keys(tamperings)

/** What `uptick verify --log --witness` and the app make of a proof: the step that names a fault, or null if all holds. */
async function faultOf(log: LogProof): Promise<string | null> {
  const file = proofFile({ proof: { ...sampleProof(), log }, heads: [], agreed: null, savedAt: 1 })
  const verdict = await verifyProof(JSON.parse(JSON.stringify(file)), [], logKeys)
  if (verdict.kind === 'unusable') return verdict.why
  if (verdict.kind === 'refuted') return verdict.step
  if (verdict.logged === null) return 'not signed by this key'
  return verdict.logged.witnesses.length === 1 ? null : 'not cosigned'
}

/** Changes proofs, leaves and checkpoints, one thing at a time: the check names each, and nothing before the change. */
export async function driveProofTampering(count: number, seed: number): Promise<Findings> {
  const dice = diceOf(seed)
  const { found, expect } = findings()
  let made = await makeProof(dice)
  while (found.tried < count) {
    if (found.tried % perLog === 0) {
      made = await makeProof(dice)
      const fault = await faultOf(made.proof)
      if (fault !== null) found.violations.push(`a proof that was not changed: ${fault}`)
    }
    const kind = String(kinds[dice.below(kinds.length)])
    const changed = await tamperings[kind]?.(made, dice)
    if (!changed) continue
    const fault = await faultOf(changed)
    expect(fault !== null, () => `not named: ${kind}, ${JSON.stringify(changed)}`)
  }
  return found
}

/** How a venue may rewrite the first leaves of its log. */
const rewrites: Record<string, (leaves: readonly TreeHash[], upTo: number, dice: Dice) => TreeHash[]> = {
  'another leaf': (leaves, upTo, { below, bytes }) => leaves.with(below(upTo), bytes(32)),
  'a leaf left out': (leaves, upTo, { below, bytes }) => [...leaves.toSpliced(below(upTo), 1), bytes(32)],
  'a leaf more': (leaves, upTo, { below, bytes }) =>
    leaves.toSpliced(below(upTo), 0, bytes(32)).slice(0, leaves.length),
  'all leaves from one on': (leaves, upTo, { below, bytes }) => {
    const from = below(upTo)
    return leaves.map((leaf, i) => (i < from ? leaf : bytes(32)))
  },
}
const rewriteKinds = Object.keys(rewrites)

/** A device that has seen the first `seen` leaves, and connects to a venue with this log. */
async function connect(before: MemoryLog, seen: number, now: MemoryLog, tiles: MemoryLog) {
  const logKey = signer.verifierKey(origin)
  const noteOf = async (log: MemoryLog, size: number) =>
    signer.sign({ origin, size, root: await log.root(size) })
  let memory: ReturnType<LogWatchParts['read']> = {
    newest: { note: await noteOf(before, seen), logKey },
    alarm: null,
  }
  const checkpoint = await noteOf(now, now.size)
  await compareLog({
    fetchLog: async (path) => {
      if (path === 'checkpoint') return Buffer.from(checkpoint)
      const tile = parseTilePath(path)
      return tile === null || tile.level === 'entries'
        ? undefined
        : tiles.fetchTile({ ...tile, level: tile.level }).catch(() => undefined)
    },
    logKey,
    read: () => memory,
    write: (next) => void (memory = next),
    now: () => 0,
  })
  return { alarm: memory.alarm?.kind ?? null, isFollowed: memory.newest?.note === checkpoint }
}

/** Rewrites logs: a device that saw one before, and the command, say of each that it is another, and never of the log itself. */
export async function driveLogRewrites(count: number, seed: number): Promise<Findings> {
  const dice = diceOf(seed)
  const { found, expect } = findings()
  for (let i = 0; i < count; i++) {
    const size = 2 + dice.below(3 * leavesMax)
    const seen = 1 + dice.below(size - 1)
    const leaves = Array.from({ length: size }, () => dice.bytes(32))
    const kind = String(rewriteKinds[dice.below(rewriteKinds.length)])
    const honest = memoryLog(leaves)
    const rewritten = memoryLog(rewrites[kind]?.(leaves, seen, dice) ?? leaves)
    const what = `${kind}, ${seen} of ${size} leaves seen`
    const treeOf = async (log: MemoryLog, upTo: number) => ({ size: upTo, root: await log.root(upTo) })
    const before = await treeOf(honest, seen)
    const own = await connect(honest, seen, honest, honest)
    if (own.alarm !== null || !own.isFollowed) found.violations.push(`a false alarm: ${what}`)
    const alarm = await connect(honest, seen, rewritten, rewritten)
    const continues = await isContinued(before, await treeOf(rewritten, size), rewritten.fetchTile)
    // With the tiles of the log before, the rewritten one is not followed either.
    const mixed = await connect(honest, seen, rewritten, honest)
    expect(alarm.alarm === 'fork' && continues === false && !mixed.isFollowed, () => `not named: ${what}`)
  }
  return found
}
