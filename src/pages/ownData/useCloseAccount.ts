import { useTranslation } from 'react-i18next'
import { memberRoutes } from '../../../contract/member.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { usePasskeyAnswer, type PasskeyReply } from '../../features/passkeys/usePasskeyAnswer.ts'
import { usePasskeyChoice } from '../../features/passkeys/usePasskeyChoice.ts'
import { usePasswordField } from '../../features/passkeys/usePasswordField.ts'
import { useSubmit, type SubmitProblem } from '../../hooks/useSubmit.ts'
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
  const closeWith = async (body: Proof): Promise<SubmitProblem> => {
    const result = await call(memberRoutes.closeAccount, { body })
    if (!result.ok) {
      const { failure } = result
      if (failure.kind !== 'rejected' || !atPassword.has(failure.code)) return failure
      return rejectPassword(failureText(t, format, failure))
    }
    navigate(paths.welcome, { replace: true })
    endSession()
    toast({ text: t('ownData.closed'), kind: 'success' })
    return undefined
  }
  const [close, busy, problem] = useSubmit(async () => {
    if (choice?.isPasskey === true) {
      const outcome = await answerOf('closeAccount')
      return 'problem' in outcome ? outcome.problem : closeWith({ passkey: outcome.answer })
    }
    if (password === '') return setPasswordError(codeText(t, format, 'EMPTY'))
    return closeWith({ transactionPassword: password })
  })
  return {
    ...field,
    choice,
    problem,
    close,
    busy,
  }
}
