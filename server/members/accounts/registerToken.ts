import { createHmac, timingSafeEqual } from 'node:crypto'
import { minuteMs } from '../../../contract/time.ts'
import type { Clock } from '../../platform/ports.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'

/** The fields that step 1 of a registration checked and step 2 uses; the phone number in the form of `canonicalPhone`. */
export type CheckedRegistration = { account: string; phone: string; openingCode: string }

const tokenTtlMs = 30 * minuteMs

/**
 * Signed tokens that contain the checked fields. Nothing is stored, so requests for tokens cannot fill up a store.
 * A token opens one account at most, because its account and phone are taken afterwards.
 */
export function createRegisterTokens(secret: Uint8Array, clock: Pick<Clock, 'now'>) {
  const key = deriveKey(secret, 'register token')
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    issue: ({
      account,
      phone,
      openingCode,
    }: CheckedRegistration): { registerToken: string; expiresAt: number } => {
      const expiresAt = clock.now() + tokenTtlMs
      const text = Buffer.from(JSON.stringify([account, phone, openingCode, expiresAt])).toString('base64url')
      return { registerToken: `${text}.${sign(text).toString('base64url')}`, expiresAt }
    },
    /** The checked fields; null if the signature is wrong or the token has expired. */
    verify: (token: string): CheckedRegistration | null => {
      const [text = '', signature = ''] = token.split('.')
      const received = Buffer.from(signature, 'base64url')
      const expected = sign(text)
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) return null
      const [account, phone, openingCode, expiresAt] = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as [string, string, string, number]
      return expiresAt >= clock.now() ? { account, phone, openingCode } : null
    },
  }
}
export type RegisterTokens = ReturnType<typeof createRegisterTokens>
