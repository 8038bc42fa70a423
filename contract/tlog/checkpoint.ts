import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64, toBase64 } from './base64.ts'
import { hashBytes, type Tree } from './merkle.ts'
import { isOfKey, verifyEd25519, type SignedNote, type VerifierKey, type VerifyEd25519 } from './note.ts'

/** What a log states about itself (C2SP tlog-checkpoint): its name, and the tree of all its leaves. */
export type Checkpoint = Tree & { origin: string }

/** The text of a checkpoint, which the log signs as a note. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`

/** Reads the text of a checkpoint; extension lines are accepted and not returned. Null if it is not one. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin, size, root, ...more] = text.split('\n')
  const bytes = root === undefined ? null : fromBase64(root)
  if (origin === undefined || origin === '' || bytes?.length !== hashBytes) return null
  if (!/^(0|[1-9]\d{0,15})$/.test(size ?? '') || !Number.isSafeInteger(Number(size))) return null
  // After the last newline nothing follows; extension lines are not empty.
  if (more.pop() !== '' || more.includes('')) return null
  return { origin, size: Number(size), root: bytes }
}

const timestampBytes = 8
const signatureBytes = 64

/** What a witness signs (C2SP tlog-cosignature, Ed25519): the checkpoint's text, and when it saw it, in epoch seconds. */
export const cosignedMessage = (text: string, seconds: number): Uint8Array =>
  utf8ToBytes(`cosignature/v1\ntime ${seconds}\n${text}`)

/** The bytes of a cosignature after the key's id: the time, and the signature. */
export function packCosignature(seconds: number, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const time = new Uint8Array(timestampBytes)
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds))
  return Uint8Array.from(concatBytes(time, signature))
}

/** A witness has seen the checkpoint, and before it only trees that it continues. */
export type Cosignature = { key: VerifierKey; seconds: number }

/** The cosignatures of known witnesses that verify, one of each key. Unknown and false ones are left out. */
export async function verifyCosignatures(
  { text, signatures }: SignedNote,
  keys: readonly VerifierKey[],
  verify: VerifyEd25519 = verifyEd25519,
): Promise<Cosignature[]> {
  const found: Cosignature[] = []
  for (const key of keys.filter(({ type }) => type === 'cosignature')) {
    const own = signatures.find((signature) => isOfKey(signature, key))
    if (own?.bytes.length !== timestampBytes + signatureBytes) continue
    const seconds = Number(new DataView(own.bytes.buffer, own.bytes.byteOffset).getBigUint64(0))
    if (seconds === 0 || !Number.isSafeInteger(seconds)) continue
    const signature = own.bytes.slice(timestampBytes)
    if (await verify(key.publicKey, signature, cosignedMessage(text, seconds))) found.push({ key, seconds })
  }
  return found
}
