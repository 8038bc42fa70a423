import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { memberRoutes } from '../../../contract/member.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { usePasskeyAnswer } from '../../features/passkeys/usePasskeyAnswer.ts'
import type { PasskeyReply } from '../../features/passkeys/usePasskeyAnswer.ts'
import { usePasskeyChoice } from '../../features/passkeys/usePasskeyChoice.ts'
import { usePasswordField } from '../../features/passkeys/usePasswordField.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { navigate } from '../../router/hashLocation.ts'
import { endSession } from '../../state/session.ts'
import { toast } from '../../ui/index.ts'

type Proof = { transactionPassword: string } | { passkey: PasskeyReply }

const atPassword: ReadonlySet<string> = new Set(['TRANSACTION_PASSWORD_WRONG', 'TRANSACTION_PASSWORD_LOCKED'])

/** The proof that the member closes the account, and what the venue said about it. */
export function useCloseAccount() {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const answerOf = usePasskeyAnswer()
  const choice = usePasskeyChoice()
  const { field, setPasswordError, rejectPassword } = usePasswordField()
  const { password } = field
  const [problem, setProblem] = useState<string>()
  const send = async (body: Proof): Promise<void> => {
    const result = await call(memberRoutes.closeAccount, { body })
    if (!result.ok) {
      const text = failureText(t, format, result.failure)
      if (result.failure.kind !== 'rejected' || !atPassword.has(result.failure.code)) return setProblem(text)
      return rejectPassword(text)
    }
    navigate(paths.welcome, { replace: true })
    endSession()
    toast({ text: t('ownData.closed'), kind: 'success' })
  }
  const [close, busy] = useAction(async () => {
    setProblem(undefined)
    if (choice?.isPasskey === true) {
      const outcome = await answerOf('closeAccount')
      if ('problem' in outcome) setProblem(outcome.problem)
      else await send({ passkey: outcome.answer })
    } else if (password === '') setPasswordError(codeText(t, format, 'EMPTY'))
    else await send({ transactionPassword: password })
  })
  return {
    ...field,
    choice,
    problem,
    close,
    busy,
  }
}
