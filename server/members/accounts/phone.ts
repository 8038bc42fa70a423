import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '../../platform/ports.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'

const ivBytes = 12
const tagBytes = 16

/** A stored phone number: a hash to find duplicates, a masked form to show, and an encrypted form for the office. */
export type StoredPhone = { phoneHash: string; phoneMasked: string; phoneSealed: Uint8Array }

/** Encodes phone numbers so that the database alone does not reveal them. */
export function createPhones(secret: Uint8Array, random: Random) {
  const hashKey = deriveKey(secret, 'phone hash')
  const encryptionKey = deriveKey(secret, 'phone seal')
  const hash = (phone: string): string => createHmac('sha256', hashKey).update(phone).digest('base64url')
  return {
    hash,
    encrypt: (phone: string): StoredPhone => {
      const iv = random.bytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv)
      const ciphertext = Buffer.concat([cipher.update(phone, 'utf8'), cipher.final()])
      const phoneSealed = Buffer.concat([iv, ciphertext, cipher.getAuthTag()])
      return { phoneHash: hash(phone), phoneMasked: maskPhone(phone), phoneSealed }
    },
    decrypt: (encrypted: Uint8Array): string => {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, encrypted.subarray(0, ivBytes))
      decipher.setAuthTag(encrypted.subarray(-tagBytes))
      const text = decipher.update(encrypted.subarray(ivBytes, -tagBytes))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
  }
}
export type Phones = ReturnType<typeof createPhones>

/** `13812345678` → `138****5678`. */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(-4)}`
