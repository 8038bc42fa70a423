import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import type { NewPasskeyAnswer } from '../../../contract/passkeys.ts'
import { ApiError } from '../../platform/apiError.ts'
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

/** More passkeys than a member has devices. */
const passkeysMax = 20

/** Whom a passkey belongs to, as the device shows it. */
export type PasskeyOwner = { id: string; account: string; displayName: string }

/** Adds passkeys, in two steps: a challenge, and a browser's answer with the new public key. */
export type PasskeyRegistration = {
  /** @param scope what the registration belongs to, such as the session; its answer must name the same */
  begin(
    party: RelyingParty & { name: string },
    owner: PasskeyOwner,
    scope: string,
  ): Promise<IssuedChallenge<PublicKeyCredentialCreationOptionsJSON>>
  /** Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`. */
  check(
    party: RelyingParty,
    ownerId: string,
    scope: string,
    answer: NewPasskeyAnswer & { name: string },
  ): Promise<CheckedRegistration>
}
/** A correct new passkey that is not stored yet. */
export type CheckedRegistration = {
  /** Uses the challenge up and stores the passkey. Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`, `PASSKEY_LIMIT`. */
  accept(tx: DbTransaction): Promise<PasskeyRow>
}

type RegistrationTicket = { challenge: string; ownerId: string; scope: string }

export function createPasskeyRegistration(
  { clock, random, tables, tickets }: PasskeysParts,
  list: (ownerId: string) => Promise<PasskeyRow[]>,
): PasskeyRegistration {
  const { passkey } = tables
  const purpose = `${tables.kind} passkey registration`
  const insert = async (tx: DbTransaction, row: PasskeyRow): Promise<void> => {
    const inserted = await tx.insert(passkey).values(row).onConflictDoNothing().returning({ id: passkey.id })
    if (inserted.length === 0) throw invalidPasskey()
    const own = await tx.select({ id: passkey.id }).from(passkey).where(eq(passkey.ownerId, row.ownerId))
    if (own.length > passkeysMax) throw new ApiError('PASSKEY_LIMIT', { params: { max: passkeysMax } })
  }
  return {
    begin: async (party, owner, scope) => {
      const challenge = newChallenge(random)
      const { generateRegistrationOptions } = await loadWebAuthn()
      const {
        extensions: _extensions,
        hints: _hints,
        ...options
      } = await generateRegistrationOptions({
        rpName: party.name,
        rpID: party.id,
        userName: owner.account,
        userDisplayName: owner.displayName,
        userID: new TextEncoder().encode(owner.id),
        challenge: challengeBytesOf(challenge),
        timeout: challengeTtlMs,
        excludeCredentials: (await list(owner.id)).map(toDescriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const value: RegistrationTicket = { challenge, ownerId: owner.id, scope }
      const { id, expiresAt } = tickets.issue(purpose, value, challengeTtlMs)
      return { challengeId: id, expiresAt, options }
    },
    check: async (party, ownerId, scope, { challengeId, response, name }) => {
      const ticket = tickets.read(purpose, challengeId)
      const issued = ticket?.value as RegistrationTicket | undefined
      if (!ticket || issued?.ownerId !== ownerId || issued.scope !== scope) throw expiredChallenge()
      const { verifyRegistrationResponse } = await loadWebAuthn()
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} } as RegistrationResponseJSON,
        expectedChallenge: issued.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
      }).catch(rejectAnswer)
      if (!verified) throw invalidPasskey()
      const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential
      const added: PasskeyRow = {
        id: random.uuid(),
        ownerId,
        credentialId,
        publicKey,
        counter,
        transports,
        name,
        createdAt: clock.now(),
        lastUsedAt: null,
      }
      return {
        accept: async (tx) => {
          if (!(await ticket.use(tx))) throw expiredChallenge()
          await insert(tx, added)
          return added
        },
      }
    },
  }
}
