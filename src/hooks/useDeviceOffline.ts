import { useSyncExternalStore } from 'react'

/** Whether the device knows that it has no network. That it has one does not mean that the venue can be reached. */
export const useDeviceOffline = (): boolean => useSyncExternalStore(watchNetwork, () => !navigator.onLine)

function watchNetwork(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
