import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfirmationInput } from '../../../contract/passkeys.ts'
import type { Failure } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { usePasskeyAnswer } from './usePasskeyAnswer.ts'
import { usePasswordField } from './usePasswordField.ts'

/** Runs the change; returns why it failed, as a failure of the venue or a text, or undefined if it did not. */
export type ConfirmedChange = (proof: ConfirmationInput) => Promise<Failure | string | undefined>

const atPassword: ReadonlySet<string> = new Set(['OLD_PASSWORD_WRONG', 'LOCKED'])

/** The login password or a passkey, and what a change said about it. */
export function useConfirmation(change: ConfirmedChange) {
  const { t } = useTranslation()
  const format = useFormat()
  const answerOf = usePasskeyAnswer()
  const { field, setPasswordError, rejectPassword } = usePasswordField()
  const { password } = field
  const [problem, setProblem] = useState<string>()
  const run = async (proof: ConfirmationInput): Promise<void> => {
    const failed = await change(proof)
    if (failed === undefined) return
    if (typeof failed === 'string') return setProblem(failed)
    const text = failureText(t, format, failed)
    if (failed.kind !== 'rejected' || !atPassword.has(failed.code)) return setProblem(text)
    return rejectPassword(text)
  }
  const [byPassword, isSending] = useAction(async () => {
    setProblem(undefined)
    if (password === '') setPasswordError(t('login.enterPassword'))
    else await run({ password })
  })
  const [byPasskey, isSigning] = useAction(async () => {
    setProblem(undefined)
    const outcome = await answerOf('security')
    if ('problem' in outcome) setProblem(outcome.problem)
    else await run({ passkey: outcome.answer })
  })
  return {
    ...field,
    problem,
    byPassword,
    byPasskey,
    busy: isSending || isSigning,
  }
}
