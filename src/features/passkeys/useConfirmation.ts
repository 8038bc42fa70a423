import { useTranslation } from 'react-i18next'
import type { ConfirmationInput } from '../../../contract/passkeys.ts'
import { failureText } from '../../api/failureText.ts'
import { useSubmit, type SubmitProblem } from '../../hooks/useSubmit.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { usePasskeyAnswer } from './usePasskeyAnswer.ts'
import { usePasswordField } from './usePasswordField.ts'

/** Runs the change; returns why it failed, or undefined if it did not. */
export type ConfirmedChange = (confirmation: ConfirmationInput) => Promise<SubmitProblem>

const atPassword: ReadonlySet<string> = new Set(['OLD_PASSWORD_WRONG', 'LOCKED'])

/** The login password or a passkey, and what a change said about it. */
export function useConfirmation(change: ConfirmedChange) {
  const { t } = useTranslation()
  const format = useFormat()
  const answerOf = usePasskeyAnswer()
  const { field, setPasswordError, rejectPassword } = usePasswordField()
  const { password } = field
  const run = async (confirmation: ConfirmationInput): Promise<SubmitProblem> => {
    const failed = await change(confirmation)
    if (typeof failed !== 'object' || failed.kind !== 'rejected' || !atPassword.has(failed.code))
      return failed
    return rejectPassword(failureText(t, format, failed))
  }
  const [send, busy, problem] = useSubmit(async (by: 'password' | 'passkey') => {
    if (by === 'password')
      return password === '' ? setPasswordError(t('login.enterPassword')) : run({ password })
    const outcome = await answerOf('security')
    return 'problem' in outcome ? outcome.problem : run({ passkey: outcome.answer })
  })
  return {
    ...field,
    problem,
    byPassword: () => send('password'),
    byPasskey: () => send('passkey'),
    busy,
  }
}
