import { useSyncExternalStore } from 'react'
import type { Resource } from './resource.ts'

/**
 * A resource's value once it is loaded. It does not load it. An external store, because the value may arrive between
 * the render and the subscription.
 */
export function useResourceValue<T>(resource: Resource<T>): T | undefined {
  const getSnapshot = (): T | undefined => resource.value
  return useSyncExternalStore(resource.subscribe, getSnapshot, getSnapshot)
}
