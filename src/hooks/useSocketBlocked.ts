import { useSyncExternalStore } from 'react'
import { isSocketBlocked, watchSocketBlocked } from '../state/socketBlocked.ts'
import { useDeviceOffline } from './useDeviceOffline.ts'

/** Whether there is no connection although the device is online and the venue answers calls: the network lets no WebSocket through. */
export function useSocketBlocked(): boolean {
  const isBlocked = useSyncExternalStore(watchSocketBlocked, isSocketBlocked)
  const isDeviceOffline = useDeviceOffline()
  return isBlocked && !isDeviceOffline
}
