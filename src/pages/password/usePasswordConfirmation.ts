import { useState } from 'react'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { usePasskeyAnswer, type PasskeyReply } from '../../features/passkeys/usePasskeyAnswer.ts'
import { useHasPasskey, useSecondFactors } from '../../features/passkeys/useSecondFactors.ts'
import { valueOf } from '../../hooks/useObservable.ts'

/** What shows that the member may change the password. */
export type ConfirmedBy = 'password' | 'passkey' | 'code'
type ConfirmationBody = { oldPassword: string } | { passkey: PasskeyReply } | { code: string }

/** The old password, or for the login password a passkey or the authenticator app, if the member has one. */
export function usePasswordConfirmation(kind: PasswordKind) {
  const hasPasskey = useHasPasskey()
  const hasApp = (valueOf(useSecondFactors().loadable)?.totp ?? null) !== null
  const [by, setBy] = useState<ConfirmedBy>('password')
  const answerOf = usePasskeyAnswer()
  const isOffered: Record<ConfirmedBy, boolean> = { password: true, passkey: hasPasskey, code: hasApp }
  return {
    by,
    setBy,
    /** The other ones that this member has. */
    others: (['password', 'passkey', 'code'] as const).filter(
      (other) => kind === 'login' && other !== by && isOffered[other],
    ),
    /** What the request carries; `text` is the old password or the code. */
    confirmationOf: async (text: string): Promise<{ body: ConfirmationBody } | { problem: string }> => {
      if (by === 'password') return { body: { oldPassword: text } }
      if (by === 'code') return { body: { code: text } }
      const outcome = await answerOf('security')
      return 'problem' in outcome ? outcome : { body: { passkey: outcome.answer } }
    },
  }
}
