import { TOTP } from 'otpauth'
import type { Passkey, PasskeyPurpose } from '../../contract/passkeys.ts'
import type { MemberClient } from './apiCalls.ts'
import { softAuthenticator, type SoftAuthenticator } from './softAuthenticator.ts'
import { loginPassword } from './testMembers.ts'

type CreationOptions = Parameters<SoftAuthenticator['create']>[0]
type RequestOptions = Parameters<SoftAuthenticator['get']>[0]
type Deviation = Parameters<SoftAuthenticator['get']>[1]
export type Challenge<Options> = { challengeId: string; expiresAt: number; options: Options }

/** Adds a passkey over the contract's calls. */
export async function addPasskey(
  member: MemberClient,
  {
    authenticator = softAuthenticator(),
    name = 'Phone',
    confirmed = { password: loginPassword },
  }: { authenticator?: SoftAuthenticator; name?: string; confirmed?: object } = {},
) {
  const begun = await member.send<Challenge<CreationOptions>>(
    'POST',
    '/auth/passkeys/registration',
    confirmed,
  )
  if (begun.status !== 200) throw new Error(begun.text)
  const { challengeId, options } = begun.body
  const added = await member.send<Passkey>('POST', '/auth/passkeys', {
    challengeId,
    response: authenticator.create(options),
    name,
  })
  if (added.status !== 201) throw new Error(added.text)
  return { authenticator, passkey: added.body }
}

/** A member's confirmation by a passkey. */
export async function confirmByPasskey(
  member: MemberClient,
  purpose: PasskeyPurpose,
  authenticator: SoftAuthenticator,
  deviation: Deviation = {},
) {
  const reply = await member.send<Challenge<RequestOptions>>('POST', '/auth/passkeys/challenge', { purpose })
  if (reply.status !== 200) throw new Error(reply.text)
  const { challengeId, options } = reply.body
  return { challengeId, response: authenticator.get(options, deviation) }
}

/** Adds an authenticator app over the contract's calls; `now` is the venue's time. */
export async function addTotp(
  member: MemberClient,
  now: number,
): Promise<{ secret: string; uri: string; recoveryCodes: string[] }> {
  const begun = await member.send<{ setupId: string; secret: string; uri: string }>(
    'POST',
    '/auth/totp/setup',
    {
      password: loginPassword,
    },
  )
  const { setupId, secret, uri } = begun.body
  const code = new TOTP({ secret }).generate({ timestamp: now })
  const added = await member.send<{ recoveryCodes: string[] }>('POST', '/auth/totp', { setupId, code })
  if (added.status !== 201) throw new Error(added.text)
  return { secret, uri, recoveryCodes: added.body.recoveryCodes }
}
