import { useDebouncedTrue } from './useDebouncedTrue.ts'
import { useConnection } from './useConnection.ts'
import { useDeviceOffline } from './useDeviceOffline.ts'

/** Connecting takes a moment; it is not reported before this. */
export const unreachableAfterMs = 1500

/** Whether the venue cannot be reached: at once if the device is offline, otherwise after a moment. */
export function useVenueUnreachable(): boolean {
  const { state } = useConnection()
  const isDisconnected = state !== 'online'
  const isLasting = useDebouncedTrue(isDisconnected, unreachableAfterMs)
  const isDeviceOffline = useDeviceOffline()
  return isDisconnected && (isDeviceOffline || isLasting)
}
