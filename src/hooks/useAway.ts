import { notConnected } from '../shell/connection.ts'
import { useLasting } from './useLasting.ts'
import { useObservable } from './useObservable.ts'
import { useOffline } from './useOffline.ts'
import { useStreams } from './useStreams.ts'

/** Connecting takes a moment; before this nobody is told of it. */
export const quietMs = 1500

/** Whether the venue cannot be reached: at once where the device knows that it is offline, else after a moment. */
export function useAway(): boolean {
  const { connection$ } = useStreams()
  const { state } = useObservable(connection$, notConnected)
  const cut = state !== 'online'
  const lasting = useLasting(cut, quietMs)
  const offline = useOffline()
  return cut && (offline || lasting)
}
