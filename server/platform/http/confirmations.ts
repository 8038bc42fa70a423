import type { Confirmed, PasskeyAnswer, PasskeyPurpose } from '../../../contract/passkeys.ts'
import type { RelyingParty } from './relyingParty.ts'

/** Where the request came from; called only if there is a passkey to check. */
export type PartyOfRequest = () => RelyingParty

/**
 * Confirmations by a member who is logged in: by a password, or by a passkey instead. Wrong passwords stay counted, and
 * the challenge of a passkey is used up, whatever then happens to the request; call them outside any transaction.
 */
export type Confirmations = {
  /** For a security change. Throws `OLD_PASSWORD_WRONG`, `LOCKED`, or what `passkey` does. */
  security(memberId: string, confirmation: Confirmed, party: PartyOfRequest): Promise<void>
  /** Of money that leaves, and of the account's end. Throws `TRANSACTION_PASSWORD_WRONG`, `TRANSACTION_PASSWORD_LOCKED`, or what `passkey` does. */
  transaction(
    memberId: string,
    purpose: Exclude<PasskeyPurpose, 'security'>,
    confirmation: TransactionConfirmation,
    party: PartyOfRequest,
  ): Promise<void>
}
export type TransactionConfirmation = {
  transactionPassword?: string | undefined
  passkey?: PasskeyAnswer | undefined
}
