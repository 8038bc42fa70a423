import { useCallback, useEffect, useRef, useState } from 'react'
import type { Result } from '../../api/result.ts'
import { uuid } from '../../uuid.ts'
import { isOpen, sendKeyed } from './keyed.ts'

/** `open`: an answer was lost, and what was sent may or may not have taken effect. */
export type KeyedState = 'idle' | 'sending' | 'open'

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Sends what moves money. One intent has one key, whatever the number of taps, lost answers and tries: while its
 * outcome is open the same body goes out under the same key, and other bodies are not sent at all.
 * @returns `send`, which answers undefined while a request is under way; and how the intent stands
 */
export function useKeyed<Body, T>(
  request: (body: Body, key: string) => Promise<Result<T>>,
): [send: (body: Body) => Promise<Result<T> | undefined>, state: KeyedState, lost: boolean] {
  const [state, setState] = useState<KeyedState>('idle')
  const [lost, setLost] = useState(false)
  const intent = useRef<{ key: string; body: Body }>(undefined)
  const running = useRef(false)
  const latest = useRef(request)
  useEffect(() => {
    latest.current = request
  })

  const send = useCallback(async (body: Body) => {
    if (running.current) return undefined
    running.current = true
    intent.current ??= { key: uuid(), body }
    const { key, body: asked } = intent.current
    setState('sending')
    const result = await sendKeyed(
      () => latest.current(asked, key),
      pause,
      () => setLost(true),
    )
    running.current = false
    const open = !result.ok && isOpen(result.failure)
    if (!open) intent.current = undefined
    setState(open ? 'open' : 'idle')
    setLost(open)
    return result
  }, [])
  return [send, state, lost]
}
