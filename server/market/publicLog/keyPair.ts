import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** What precedes the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicKeyBytes = 32

/** The Ed25519 keys that follow from a seed. @param seed the 32 bytes that RFC 8032 calls the private key */
export function keyPairOf(seed: Uint8Array): { secret: KeyObject; publicKey: Uint8Array<ArrayBuffer> } {
  const secret = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  return { secret, publicKey: Uint8Array.from(spki.subarray(-publicKeyBytes)) }
}
