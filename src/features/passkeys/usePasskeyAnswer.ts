import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { passkeyAnswer, PasskeyPurpose } from '../../../contract/passkeys.ts'
import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { failureText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { signWithPasskey } from './passkeys.ts'

/** The answer of a passkey, or the text that says why there is none. */
export type PasskeyOutcome = { answer: PasskeyReply } | { problem: string }
/** What a request carries. */
export type PasskeyReply = z.input<typeof passkeyAnswer>

/** Gets a challenge for a purpose and lets the browser answer it; `log-in` needs no session. */
export function usePasskeyAnswer(): (purpose: PasskeyPurpose | 'log-in') => Promise<PasskeyOutcome> {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  return async (purpose) => {
    const issued =
      purpose === 'log-in'
        ? await call(secondFactorRoutes.beginPasskeyLogin, {})
        : await call(secondFactorRoutes.createPasskeyChallenge, { body: { purpose } })
    if (!issued.ok) return { problem: failureText(t, format, issued.failure) }
    const { challengeId, options } = issued.value
    const signed = await signWithPasskey(options)
    return signed.ok
      ? { answer: { challengeId, response: signed.value } }
      : { problem: t('security.passkeyNotUsed') }
  }
}
