import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { PasskeyRow } from '../schema.ts'
import type { Random } from '../../platform/ports.ts'
import { randomToken } from '../../platform/random.ts'

/** How long a browser has to answer a challenge. */
export const challengeTtlMs = 5 * minuteMs
const challengeBytes = 32

/** The library of passkeys comes with the first one: it is a tenth of the code that a start runs. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** What a browser gets: options for WebAuthn, and the challenge's id for the answer. */
export type IssuedChallenge<Options> = { challengeId: string; expiresAt: number; options: Options }

/** As a browser signs it, in base64url. */
export const newChallenge = (random: Pick<Random, 'bytes'>): string => randomToken(random, challengeBytes)
/** The library encodes the bytes itself. */
export const challengeBytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'))

export const toDescriptor = ({ credentialId, transports }: PasskeyRow) => ({ id: credentialId, transports })

export const expiredChallenge = (): ApiError => new ApiError('CHALLENGE_EXPIRED')
export const invalidPasskey = (): ApiError => new ApiError('PASSKEY_INVALID')
/** Whatever is wrong with an answer, the library throws: it is malformed, or for another page, challenge or key. */
export function rejectAnswer(): never {
  throw invalidPasskey()
}
