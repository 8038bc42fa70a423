import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64, toBase64 } from './base64.ts'

/** How a key signs (C2SP signed-note): the note's text, or a checkpoint with the time at which it was seen. */
export const signatureTypes = { ed25519: 0x01, cosignature: 0x04 } as const
export type SignatureType = keyof typeof signatureTypes

/** A key that notes are verified with. */
export type VerifierKey = {
  name: string
  /** The first four bytes of SHA-256(name ‖ "\n" ‖ type ‖ key). */
  id: Uint8Array
  type: SignatureType
  /** An Ed25519 public key, 32 bytes. */
  publicKey: Uint8Array<ArrayBuffer>
}
/** One signature line, not verified: `bytes` follow the four of the key's id. */
export type NoteSignature = { name: string; id: Uint8Array; bytes: Uint8Array<ArrayBuffer> }
/** A signed note, not verified. `text` ends with its newline. */
export type SignedNote = { text: string; signatures: NoteSignature[] }

const idBytes = 4
const publicKeyBytes = 32
/** More than the 16 that every verifier must accept. */
const signaturesMax = 64
const dash = '\u2014'

const isKeyName = (name: string): boolean => name !== '' && !/[\s+\p{Z}]/u.test(name)

export function keyId(name: string, type: SignatureType, publicKey: Uint8Array): Uint8Array {
  const text = concatBytes(utf8ToBytes(`${name}\n`), new Uint8Array([signatureTypes[type]]), publicKey)
  return sha256(text).slice(0, idBytes)
}

/** A verifier key as text: `<name>+<id in hex>+<base64 of type ‖ key>`. */
export function formatVerifierKey(name: string, type: SignatureType, publicKey: Uint8Array): string {
  const key = toBase64(concatBytes(new Uint8Array([signatureTypes[type]]), publicKey))
  return `${name}+${bytesToHex(keyId(name, type, publicKey))}+${key}`
}

/** Reads a verifier key; null if it is none, its id is not its own, or its type is neither of ours. */
export function parseVerifierKey(text: string): VerifierKey | null {
  // The base64 may contain a plus too, the name may not.
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? []
  const bytes = encoded === undefined ? null : fromBase64(encoded)
  if (name === undefined || !isKeyName(name) || bytes?.length !== 1 + publicKeyBytes) return null
  const types = Object.keys(signatureTypes) as SignatureType[]
  const type = types.find((each) => signatureTypes[each] === bytes[0])
  if (type === undefined) return null
  const publicKey = bytes.slice(1)
  const ownId = keyId(name, type, publicKey)
  return bytesToHex(ownId) === id ? { name, id: ownId, type, publicKey } : null
}

/** The same key under another name, as a log that was started again has it. */
export const keyNamed = (key: VerifierKey, name: string): VerifierKey => ({
  ...key,
  name,
  id: keyId(name, key.type, key.publicKey),
})

/** Reads a signed note (C2SP signed-note); null if it is not one. No signature is verified. */
export function parseNote(note: string): SignedNote | null {
  if (/\p{Surrogate}/u.test(note) || /\p{Cc}/u.test(note.replaceAll(/[\n\u007f-\u009f]/g, ''))) return null
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) return null
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > signaturesMax) return null
  const signatures: NoteSignature[] = []
  for (const line of lines) {
    const signature = parseSignature(line)
    if (signature === null) return null
    signatures.push(signature)
  }
  return { text: note.slice(0, end + 1), signatures }
}

/** Reads a signature line without its newline; null if it is not one. */
export function parseSignature(line: string): NoteSignature | null {
  const [, name, encoded] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? []
  const bytes = encoded === undefined ? null : fromBase64(encoded)
  if (name === undefined || !isKeyName(name) || bytes === null || bytes.length <= idBytes) return null
  return { name, id: bytes.slice(0, idBytes), bytes: bytes.slice(idBytes) }
}

/** A signature line with its newline. */
export const formatSignature = ({ name, id, bytes }: NoteSignature): string =>
  `${dash} ${name} ${toBase64(concatBytes(id, bytes))}\n`

/** A signed note as text. @param text ends with a newline */
export const formatNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(formatSignature).join('')}`

/** Whether a signature line names this key. */
export const isOfKey = ({ name, id }: NoteSignature, key: VerifierKey): boolean =>
  name === key.name && bytesToHex(id) === bytesToHex(key.id)

/** Verifies an Ed25519 signature (RFC 8032). @throws Error where the platform has no Ed25519 */
export type VerifyEd25519 = (
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array,
) => Promise<boolean>

/** By the Web Cryptography API, which browsers have on secure origins. */
export const verifyEd25519: VerifyEd25519 = async (publicKey, signature, message) => {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, signature, Uint8Array.from(message))
}

/**
 * Whether a key of type `ed25519` has signed a note: 'absent' if the note has no line of that key, false if a line of it
 * does not verify.
 */
export async function verifyNote(
  { text, signatures }: SignedNote,
  key: VerifierKey,
  verify: VerifyEd25519 = verifyEd25519,
): Promise<boolean | 'absent'> {
  const own = signatures.filter((signature) => isOfKey(signature, key))
  if (own.length === 0 || key.type !== 'ed25519') return 'absent'
  for (const { bytes } of own) if (!(await verify(key.publicKey, bytes, utf8ToBytes(text)))) return false
  return true
}
