import { useEffect, useState } from 'react'
import type { Resource } from './resource.ts'

/** What a resource holds, as soon as it does. Asks for nothing by itself. */
export function useArrived<T>(resource: Resource<T>): T | undefined {
  const [, setArrived] = useState(resource.value !== undefined)
  useEffect(() => resource.whenHere(() => setArrived(true)), [resource])
  return resource.value
}
