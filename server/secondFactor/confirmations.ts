import type { Confirmed, PasskeyAnswer, PasskeyPurpose } from '../../contract/passkeys.ts'
import { ApiError } from '../apiError.ts'
import type { Db } from '../db/database.ts'
import type { PasswordGuard } from '../members/passwordGuard.ts'
import type { FactorCore } from './factorCore.ts'
import type { RelyingParty } from './relyingParty.ts'

/** Where the request came from; called only if there is a passkey to check. */
export type PartyOfRequest = () => RelyingParty

/**
 * Confirmations by a member who is logged in: by a password, or by a passkey instead. Wrong passwords stay counted, and
 * the challenge of a passkey is used up, whatever then happens to the request; call them outside any transaction.
 */
export type Confirmations = {
  /** Of a security change. Throws `OLD_PASSWORD_WRONG`, `LOCKED`, or what `passkey` does. */
  security(memberId: string, proof: Confirmed, party: PartyOfRequest): Promise<void>
  /** Of money that leaves, and of the account's end. Throws `TRANSACTION_PASSWORD_WRONG`, `TRANSACTION_PASSWORD_LOCKED`, or what `passkey` does. */
  transaction(
    memberId: string,
    purpose: Exclude<PasskeyPurpose, 'security'>,
    proof: TransactionProof,
    party: PartyOfRequest,
  ): Promise<void>
}
export type TransactionProof = {
  transactionPassword?: string | undefined
  passkey?: PasskeyAnswer | undefined
}

export type ConfirmationsParts = {
  db: Db
  guard: Pick<PasswordGuard, 'verify' | 'requireTransactionPassword'>
  factors: Pick<FactorCore, 'passkeys'>
}

export function createConfirmations({ db, guard, factors }: ConfirmationsParts): Confirmations {
  /** Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`, `PASSKEYS_UNAVAILABLE`. */
  const requirePasskey = async (
    memberId: string,
    purpose: PasskeyPurpose,
    answer: PasskeyAnswer,
    party: PartyOfRequest,
  ): Promise<void> => {
    const checked = await factors.passkeys.assertion.check(party(), purpose, memberId, answer)
    await db.transaction((tx) => checked.accept(tx))
  }
  return {
    security: async (memberId, { password = '', passkey }, party) => {
      if (passkey) return requirePasskey(memberId, 'security', passkey, party)
      if (!(await guard.verify(memberId, 'login', password))) throw new ApiError('OLD_PASSWORD_WRONG')
      return undefined
    },
    transaction: (memberId, purpose, { transactionPassword = '', passkey }, party) =>
      passkey
        ? requirePasskey(memberId, purpose, passkey, party)
        : guard.requireTransactionPassword(memberId, transactionPassword),
  }
}
