import { useCallback, useRef, useState } from 'react'
import type { Result } from '../../api/result.ts'
import { uuid } from '../../lib/uuid.ts'
import { isOutcomeUnknown, sendIdempotent } from './idempotentRequest.ts'
import { useLatest } from '../../hooks/useLatest.ts'

/** `unknown`: an answer was lost, so the request may or may not have taken effect. */
export type IdempotentRequestState = 'idle' | 'sending' | 'unknown'

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Sends a request that moves money. One intent has one key, independent of the number of taps, lost answers and
 * attempts: while its outcome is unknown, only the same body is sent again with the same key.
 * @returns `send`, which resolves with undefined while a request is in flight; the state of the intent; and whether an
 * answer was lost
 */
export function useIdempotentRequest<Body, T>(
  request: (body: Body, key: string) => Promise<Result<T>>,
): [
  send: (body: Body) => Promise<Result<T> | undefined>,
  state: IdempotentRequestState,
  isAnswerLost: boolean,
] {
  const [state, setState] = useState<IdempotentRequestState>('idle')
  const [isAnswerLost, setAnswerLost] = useState(false)
  const pendingRequest = useRef<{ key: string; body: Body }>(undefined)
  const isSending = useRef(false)
  const latestRequest = useLatest(request)

  const send = useCallback(
    async (body: Body) => {
      if (isSending.current) return undefined
      isSending.current = true
      pendingRequest.current ??= { key: uuid(), body }
      const { key, body: pendingBody } = pendingRequest.current
      setState('sending')
      const result = await sendIdempotent(
        () => latestRequest()(pendingBody, key),
        pause,
        () => setAnswerLost(true),
      )
      isSending.current = false
      const hasUnknownOutcome = !result.ok && isOutcomeUnknown(result.failure)
      if (!hasUnknownOutcome) pendingRequest.current = undefined
      setState(hasUnknownOutcome ? 'unknown' : 'idle')
      setAnswerLost(hasUnknownOutcome)
      return result
    },
    [latestRequest],
  )
  return [send, state, isAnswerLost]
}
