import { useTranslation } from 'react-i18next'
import type { Result } from '../../api/result.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/index.ts'
import { useIdempotentRequest } from '../../features/transfers/useIdempotentRequest.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { failureText } from '../../api/failureText.ts'
import type { Failure } from '../../../streams/index.ts'

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
  const [sendKeyed, state, isAnswerLost] = useIdempotentRequest(request)
  const [send, busy, failure, setFailure] = useAction<[Body], Failure>(async (body) => {
    const result = await sendKeyed(body)
    if (!result?.ok) return result?.failure
    refresh()
    toast({ text: successText(result.value), kind: 'success' })
    return navigate(paths.fund, { replace: true })
  })
  return {
    send,
    busy,
    /** An answer was lost: the next submit sends the same request again. */
    isOutcomeUnknown: state === 'unknown',
    problem: failure && failureText(t, format, failure),
    code: failure?.kind === 'rejected' ? failure.code : undefined,
    clear: () => setFailure(undefined),
    lost: isAnswerLost ? t('fund.unknown') : undefined,
  }
}
