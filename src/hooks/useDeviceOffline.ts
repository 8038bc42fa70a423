import { useSyncExternalStore } from 'react'

/** Whether the device has no network. If it has one, the venue may still be unreachable. */
export const useDeviceOffline = (): boolean => useSyncExternalStore(watchNetwork, () => !navigator.onLine)

function watchNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}
