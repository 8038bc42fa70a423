import { hash, sign } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { formatReceipt, type Receipt } from '../../../contract/receipt.ts'
import { formatReceiptBatch, formatSignedReceipt } from '../../../contract/signedReceipt.ts'
import { formatCheckpoint, type Checkpoint } from '../../../contract/tlog/checkpoint.ts'
import { inclusionProofs, leafHash, type Sha256, type TreeHash } from '../../../contract/tlog/merkle.ts'
import { formatNote, formatVerifierKey, keyId } from '../../../contract/tlog/note.ts'
import { keyPairOf } from './keyPair.ts'

/** Native SHA-256. */
export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')

/** Signs checkpoints and receipts with the venue's Ed25519 key. The name of the key is the log's. */
export type LogSigner = {
  /** The signed note. The same checkpoint always gives the same text. */
  sign(checkpoint: Checkpoint): string
  /**
   * The receipts, all of the log with this name, signed as one batch: nothing else of an order costs as much as a signature.
   * Their texts are always the same, and where each stands in what batch is not.
   */
  signReceipts(origin: string, receipts: readonly Receipt[]): string[]
  /** The public key in hex, whatever the name of the log. */
  publicKey: string
  /** The verifier key of the log with this name, as text. */
  verifierKey(origin: string): string
}

/** @param seed the 32 bytes that RFC 8032 calls the private key */
export function createSigner(seed: Uint8Array): LogSigner {
  const { secret, publicKey } = keyPairOf(seed)
  /** The id of a name costs a third of a signature. */
  let last = { name: '', id: new Uint8Array() }
  const idOf = (name: string): Uint8Array => {
    if (last.name !== name) last = { name, id: Uint8Array.from(keyId(name, 'ed25519', publicKey)) }
    return last.id
  }
  const noteOf = (name: string, text: string): string => {
    const bytes = Uint8Array.from(sign(null, Buffer.from(text), secret))
    return formatNote({ text, signatures: [{ name, id: idOf(name), bytes }] })
  }
  return {
    sign: (checkpoint) => noteOf(checkpoint.origin, formatCheckpoint(checkpoint)),
    signReceipts: (origin, receipts) => {
      const texts = receipts.map(formatReceipt)
      const leaves = texts.map((text) => leafHash(Buffer.from(text), sha256))
      const { root, paths } = inclusionProofs(leaves, sha256)
      const note = noteOf(origin, formatReceiptBatch({ origin, size: texts.length, root }))
      const encoded = encodedOnce(paths)
      return texts.map((text, index) =>
        formatSignedReceipt({ text, index, path: encoded[index] ?? [], note }),
      )
    },
    publicKey: bytesToHex(publicKey),
    verifierKey: (origin) => formatVerifierKey(origin, 'ed25519', publicKey),
  }
}

/** Hashes in base64. Paths have nodes in common, and to encode one takes as long as to hash it. */
function encodedOnce(paths: readonly (readonly TreeHash[])[]): string[][] {
  const texts = new Map<TreeHash, string>()
  const encode = (hash: TreeHash): string => {
    const text = texts.get(hash) ?? Buffer.from(hash).toString('base64')
    texts.set(hash, text)
    return text
  }
  return paths.map((path) => path.map(encode))
}
