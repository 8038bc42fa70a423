import { useState } from 'react'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { usePasskeyAnswer } from '../../features/passkeys/usePasskeyAnswer.ts'
import type { PasskeyReply } from '../../features/passkeys/usePasskeyAnswer.ts'
import { useHasPasskey, useSecondFactors } from '../../features/passkeys/useSecondFactors.ts'
import { valueOf } from '../../hooks/useObservable.ts'

/** What shows that the member may change the password. */
export type Proof = 'password' | 'passkey' | 'code'
type ProofBody = { oldPassword: string } | { passkey: PasskeyReply } | { code: string }

/** The old password, or for the login password a passkey or the authenticator app, if the member has one. */
export function usePasswordProof(kind: PasswordKind) {
  const hasPasskey = useHasPasskey()
  const hasApp = (valueOf(useSecondFactors().loadable)?.totp ?? null) !== null
  const [proof, setProof] = useState<Proof>('password')
  const answerOf = usePasskeyAnswer()
  const isOffered: Record<Proof, boolean> = { password: true, passkey: hasPasskey, code: hasApp }
  return {
    proof,
    setProof,
    /** The other ones that this member has. */
    others: (['password', 'passkey', 'code'] as const).filter(
      (other) => kind === 'login' && other !== proof && isOffered[other],
    ),
    /** What the request carries; `text` is the old password or the code. */
    proofOf: async (text: string): Promise<{ body: ProofBody } | { problem: string }> => {
      if (proof === 'password') return { body: { oldPassword: text } }
      if (proof === 'code') return { body: { code: text } }
      const outcome = await answerOf('security')
      return 'problem' in outcome ? outcome : { body: { passkey: outcome.answer } }
    },
  }
}
