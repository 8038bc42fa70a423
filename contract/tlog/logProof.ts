import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { LogProof } from '../orders.ts'
import { fromBase64 } from './base64.ts'
import { parseCheckpoint, verifyCosignatures, type Checkpoint, type Cosignature } from './checkpoint.ts'
import { parseLeaf, type LogLeaf } from './leaf.ts'
import { leafHash, verifyInclusion } from './merkle.ts'
import { parseNote, verifyEd25519, verifyNote, type VerifierKey, type VerifyEd25519 } from './note.ts'

/** What a proof shows about the log; `isSigned` is null if the key signs another log, or this platform has no Ed25519. */
export type LogProofCheck =
  | { ok: true; leaf: LogLeaf; checkpoint: Checkpoint; isSigned: true | null; cosignatures: Cosignature[] }
  /** It is not readable, the tree does not have the leaf, or the signature is false. */
  | { ok: false; why: 'format' | 'path' | 'signature' }

/**
 * Whether a signed log has the leaf of a proof.
 * @param key the log's; null: the signature is not verified
 * @param witnesses whose cosignatures count
 */
export async function checkLogProof(
  { leaf: text, index, path, checkpoint: noteText }: LogProof,
  { key, witnesses }: { key: VerifierKey | null; witnesses: readonly VerifierKey[] },
  verify: VerifyEd25519 = verifyEd25519,
): Promise<LogProofCheck> {
  const [leaf, note] = [parseLeaf(text), parseNote(noteText)]
  const checkpoint = note && parseCheckpoint(note.text)
  const hashes = path.flatMap((hash) => fromBase64(hash) ?? [])
  if (!leaf || !note || !checkpoint || hashes.length !== path.length) return { ok: false, why: 'format' }
  const claim = { index, size: checkpoint.size, leaf: leafHash(utf8ToBytes(text)), root: checkpoint.root }
  if (!verifyInclusion(claim, hashes)) return { ok: false, why: 'path' }
  const unsigned: LogProofCheck = { ok: true, leaf, checkpoint, isSigned: null, cosignatures: [] }
  if (key === null || key.name !== checkpoint.origin) return unsigned
  try {
    if ((await verifyNote(note, key, verify)) !== true) return { ok: false, why: 'signature' }
    const cosignatures = await verifyCosignatures(note, witnesses, verify)
    return { ...unsigned, isSigned: true, cosignatures }
  } catch {
    return unsigned
  }
}
