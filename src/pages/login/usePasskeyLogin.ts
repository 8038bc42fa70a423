import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { usePasskeyAnswer } from '../../features/passkeys/usePasskeyAnswer.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import { beginSession } from '../../state/session.ts'

/** Login by a passkey alone: no account, no password, no code. */
export function usePasskeyLogin() {
  const call = useCall()
  const answerOf = usePasskeyAnswer()
  const [logIn, busy, problem, setProblem] = useSubmit(async () => {
    const outcome = await answerOf('log-in')
    if ('problem' in outcome) return outcome.problem
    const result = await call(secondFactorRoutes.logInWithPasskey, { body: outcome.answer })
    return result.ok ? beginSession(result.value) : result.failure
  })
  return { logIn, busy, problem, clearProblem: () => setProblem(undefined) }
}
