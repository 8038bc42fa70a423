import { useSession } from '../state/session.ts'
import { useLoadable, valueOf } from './useObservable.ts'
import { useStreamsIfReady } from './useStreams.ts'

/** How many of the member's orders are open; 0 until they are loaded. */
export function useOpenCount(): number {
  const streams = useStreamsIfReady()
  const { token } = useSession()
  return valueOf(useLoadable(token === null ? undefined : streams?.orders.open$))?.length ?? 0
}
