import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { and, eq, lt } from 'drizzle-orm'
import type { PasskeyAnswer } from '../../../contract/passkeys.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import type { PasskeyRow } from '../schema.ts'
import {
  challengeBytesOf,
  challengeTtlMs,
  expiredChallenge,
  invalidPasskey,
  loadWebAuthn,
  newChallenge,
  rejectAnswer,
  toDescriptor,
  type IssuedChallenge,
} from './challenge.ts'
import type { PasskeysParts } from './passkeysParts.ts'
import type { RelyingParty } from '../../platform/http/relyingParty.ts'

/** A correct assertion whose challenge is not used yet. */
export type CheckedAssertion = {
  ownerId: string
  passkeyId: string
  /**
   * Uses the challenge up and stores the signature count. Throws `CHALLENGE_EXPIRED` if it is used already, and
   * `PASSKEY_INVALID` if the count did not rise, or the passkey is gone.
   */
  accept(tx: DbTransaction): Promise<void>
}

/** Checks a passkey in two steps: a challenge for a purpose, and a browser's signature of it. */
export type PasskeyAssertion = {
  /** @param ownerId whose passkeys may answer; null if the passkey identifies its owner */
  begin(
    party: RelyingParty,
    purpose: string,
    ownerId: string | null,
  ): Promise<IssuedChallenge<PublicKeyCredentialRequestOptionsJSON>>
  /** Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`. */
  check(
    party: RelyingParty,
    purpose: string,
    ownerId: string | null,
    answer: PasskeyAnswer,
  ): Promise<CheckedAssertion>
}

type AssertionTicket = { challenge: string; ownerId: string | null }

export function createPasskeyAssertion(
  parts: PasskeysParts,
  list: (ownerId: string) => Promise<PasskeyRow[]>,
): PasskeyAssertion {
  const { db, random, tables, tickets } = parts
  const { passkey } = tables
  const ticketPurpose = (purpose: string): string => `${tables.kind} passkey for ${purpose}`
  return {
    begin: async (party, purpose, ownerId) => {
      const challenge = newChallenge(random)
      const { generateAuthenticationOptions } = await loadWebAuthn()
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        challenge: challengeBytesOf(challenge),
        timeout: challengeTtlMs,
        userVerification: 'required',
        ...(ownerId !== null && { allowCredentials: (await list(ownerId)).map(toDescriptor) }),
      })
      const value: AssertionTicket = { challenge, ownerId }
      const { id, expiresAt } = tickets.issue(ticketPurpose(purpose), value, challengeTtlMs)
      return { challengeId: id, expiresAt, options }
    },
    check: async (party, purpose, ownerId, { challengeId, response }) => {
      const ticket = tickets.read(ticketPurpose(purpose), challengeId)
      const issued = ticket?.value as AssertionTicket | undefined
      if (!ticket || issued?.ownerId !== ownerId) throw expiredChallenge()
      const [row] = await db.select().from(passkey).where(eq(passkey.credentialId, response.id))
      if (!row || row.ownerId !== (ownerId ?? ownerNamedBy(response))) throw invalidPasskey()
      const { credentialId: id, publicKey, counter } = row
      const { verifyAuthenticationResponse } = await loadWebAuthn()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} } as AuthenticationResponseJSON,
        expectedChallenge: issued.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        credential: { id, publicKey: new Uint8Array(publicKey), counter },
        requireUserVerification: true,
      }).catch(rejectAnswer)
      if (!verified) throw invalidPasskey()
      return {
        ownerId: row.ownerId,
        passkeyId: row.id,
        accept: async (tx) => {
          if (!(await ticket.use(tx))) throw expiredChallenge()
          if (!(await recordUse(parts, tx, row.id, authenticationInfo.newCounter))) throw invalidPasskey()
        },
      }
    },
  }
}

/** False if the passkey is gone, or if its count did not rise since it was checked: then the passkey exists twice. */
async function recordUse(
  { clock, tables: { passkey } }: PasskeysParts,
  tx: DbTransaction,
  id: string,
  counter: number,
): Promise<boolean> {
  // An authenticator that does not count always says 0.
  const rises = counter === 0 ? eq(passkey.counter, 0) : lt(passkey.counter, counter)
  const used = await tx
    .update(passkey)
    .set({ counter, lastUsedAt: clock.now() })
    .where(and(eq(passkey.id, id), rises))
    .returning({ id: passkey.id })
  return used.length > 0
}

/** A discoverable passkey says whose it is, by the id that its registration gave it. */
function ownerNamedBy({ response: { userHandle } }: PasskeyAnswer['response']): string | null {
  return userHandle === undefined ? null : Buffer.from(userHandle, 'base64url').toString()
}
