import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import type { Result } from '../../api/result.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/index.ts'
import { useIdempotentRequest } from '../../features/transfers/useIdempotentRequest.ts'

/**
 * Sends a transfer and shows the result: a toast and the fund's page on success, an error text otherwise. While an
 * answer is lost the same transfer is sent again; it counts once.
 */
export function useSubmitTransfer<Body, T>(
  request: (body: Body, key: string) => Promise<Result<T>>,
  successText: (answer: T) => string,
) {
  const { t } = useTranslation()
  const format = useFormat()
  const { refresh } = useStreams()
  const [problem, setProblem] = useState<{ text: string; code?: string }>()
  const [sendKeyed, state, isAnswerLost] = useIdempotentRequest(request)
  const send = async (body: Body): Promise<void> => {
    setProblem(undefined)
    const result = await sendKeyed(body)
    if (result === undefined) return
    if (result.ok) {
      refresh()
      toast({ text: successText(result.value), kind: 'success' })
      navigate(paths.fund, { replace: true })
      return
    }
    const { failure } = result
    setProblem({
      text: failureText(t, format, failure),
      ...(failure.kind === 'rejected' ? { code: failure.code } : {}),
    })
  }
  return {
    send,
    busy: state === 'sending',
    /** An answer was lost: the next submit sends the same request again. */
    isOutcomeUnknown: state === 'unknown',
    problem: problem?.text,
    code: problem?.code,
    clear: () => setProblem(undefined),
    lost: isAnswerLost ? t('fund.unknown') : undefined,
  }
}
