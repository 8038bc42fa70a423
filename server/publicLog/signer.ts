import { hash, sign } from 'node:crypto'
import { formatCheckpoint } from '../../contract/tlog/checkpoint.ts'
import type { Checkpoint } from '../../contract/tlog/checkpoint.ts'
import type { Sha256 } from '../../contract/tlog/merkle.ts'
import { formatNote, formatVerifierKey, keyId } from '../../contract/tlog/note.ts'
import { keyPairOf } from './keyPair.ts'

/** Native SHA-256. */
export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')

/** Signs checkpoints with the venue's Ed25519 key. The name of the key is the log's. */
export type CheckpointSigner = {
  /** The signed note. The same checkpoint always gives the same text. */
  sign(checkpoint: Checkpoint): string
  /** The verifier key of the log with this name, as text. */
  verifierKey(origin: string): string
}

/** @param seed the 32 bytes that RFC 8032 calls the private key */
export function createSigner(seed: Uint8Array): CheckpointSigner {
  const { secret, publicKey } = keyPairOf(seed)
  return {
    sign: (checkpoint) => {
      const { origin } = checkpoint
      const text = formatCheckpoint(checkpoint)
      const bytes = Uint8Array.from(sign(null, Buffer.from(text), secret))
      return formatNote({
        text,
        signatures: [{ name: origin, id: keyId(origin, 'ed25519', publicKey), bytes }],
      })
    },
    verifierKey: (origin) => formatVerifierKey(origin, 'ed25519', publicKey),
  }
}
