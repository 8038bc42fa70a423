import { createCipheriv, createDecipheriv } from 'node:crypto'
import { deriveKey } from './keyDerivation.ts'
import type { Random } from './ports.ts'

const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts data at rest: AES-256-GCM with its own key for each purpose. The label names the row that the data belongs
 * to, so that data copied to another row cannot be decrypted.
 */
export type Vault = {
  encrypt(content: string | Uint8Array, label: string): Buffer
  /** Throws if the bytes were not encrypted with this label. */
  decrypt(encrypted: Uint8Array, label: string): Buffer
}

/** @param secret is stored outside the database */
export function createVault(secret: Uint8Array, purpose: string, random: Random): Vault {
  const key = deriveKey(secret, purpose)
  return {
    encrypt: (content, label) => {
      const iv = random.bytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(label))
      const plain = typeof content === 'string' ? Buffer.from(content) : content
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    decrypt: (encrypted, label) => {
      const iv = encrypted.subarray(0, ivBytes)
      const tag = encrypted.subarray(-tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(label)).setAuthTag(tag)
      const text = decipher.update(encrypted.subarray(ivBytes, -tagBytes))
      return Buffer.concat([text, decipher.final()])
    },
  }
}
