import { useSyncExternalStore } from 'react'
import type { Lazy } from './lazy.ts'

/**
 * The value once it is loaded; the hook does not load it. An external store, because the value may arrive between
 * the render and the subscription.
 */
export function useLazyValue<T>(lazy: Lazy<T>): T | undefined {
  const getSnapshot = (): T | undefined => lazy.value
  return useSyncExternalStore(lazy.subscribe, getSnapshot, getSnapshot)
}
