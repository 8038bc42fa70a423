import { useCallback, useEffect, useRef, useState } from 'react'
import type { Result } from '../../api/result.ts'
import { uuid } from '../../uuid.ts'
import { isOutcomeUnknown, sendIdempotent } from './idempotentRequest.ts'

/** `open`: an answer was lost, and what was sent may or may not have taken effect. */
export type IdempotentRequestState = 'idle' | 'sending' | 'open'

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Sends what moves money. One intent has one key, whatever the number of taps, lost answers and tries: while its
 * outcome is open the same body goes out under the same key, and other bodies are not sent at all.
 * @returns `send`, which answers undefined while a request is under way; and how the intent stands
 */
export function useIdempotentRequest<Body, T>(
  request: (body: Body, key: string) => Promise<Result<T>>,
): [send: (body: Body) => Promise<Result<T> | undefined>, state: IdempotentRequestState, lost: boolean] {
  const [state, setState] = useState<IdempotentRequestState>('idle')
  const [answerLost, setAnswerLost] = useState(false)
  const pendingRequest = useRef<{ key: string; body: Body }>(undefined)
  const isSending = useRef(false)
  const latest = useRef(request)
  useEffect(() => {
    latest.current = request
  })

  const send = useCallback(async (body: Body) => {
    if (isSending.current) return undefined
    isSending.current = true
    pendingRequest.current ??= { key: uuid(), body }
    const { key, body: pendingBody } = pendingRequest.current
    setState('sending')
    const result = await sendIdempotent(
      () => latest.current(pendingBody, key),
      pause,
      () => setAnswerLost(true),
    )
    isSending.current = false
    const outcomeUnknown = !result.ok && isOutcomeUnknown(result.failure)
    if (!outcomeUnknown) pendingRequest.current = undefined
    setState(outcomeUnknown ? 'open' : 'idle')
    setAnswerLost(outcomeUnknown)
    return result
  }, [])
  return [send, state, answerLost]
}
