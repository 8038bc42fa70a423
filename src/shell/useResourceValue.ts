import { useSyncExternalStore } from 'react'
import type { Resource } from './resource.ts'

/**
 * What a resource holds, as soon as it does. Asks for nothing by itself. Read as an outside store, because it may
 * arrive between a render and the moment somebody listens.
 */
export function useResourceValue<T>(resource: Resource<T>): T | undefined {
  const getSnapshot = (): T | undefined => resource.value
  return useSyncExternalStore(resource.subscribe, getSnapshot, getSnapshot)
}
