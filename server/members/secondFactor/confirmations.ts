import type { PasskeyAnswer, PasskeyPurpose } from '../../../contract/passkeys.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PasswordGuard } from '../accounts/passwordGuard.ts'
import type { FactorCore } from './factorCore.ts'
import type { Confirmations, PartyOfRequest } from '../../platform/http/confirmations.ts'

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
