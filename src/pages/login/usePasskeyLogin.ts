import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { failureText } from '../../api/failureText.ts'
import { usePasskeyAnswer } from '../../features/passkeys/usePasskeyAnswer.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { beginSession } from '../../state/session.ts'

/** Log-in by a passkey alone: no account, no password, no code. */
export function usePasskeyLogin() {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const answerOf = usePasskeyAnswer()
  const [problem, setProblem] = useState<string>()
  const [logIn, busy] = useAction(async () => {
    setProblem(undefined)
    const outcome = await answerOf('log-in')
    if ('problem' in outcome) return setProblem(outcome.problem)
    const result = await call(secondFactorRoutes.passkeyLogin, { body: outcome.answer })
    return result.ok ? beginSession(result.value) : setProblem(failureText(t, format, result.failure))
  })
  return { logIn, busy, problem, clearProblem: () => setProblem(undefined) }
}
