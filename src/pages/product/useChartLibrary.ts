import { useCallback, useEffect, useState } from 'react'
import type { ChartFactory } from '../../chart/port.ts'
import type { Resource, ResourceFailure } from '../../shell/resource.ts'

export type LibraryState =
  | { state: 'loading' }
  | { state: 'ready'; factory: ChartFactory }
  | { state: 'failed'; failure: ResourceFailure }

/** The chart's library on its way, with a way to ask again. */
export function useChartLibrary(library: Resource<ChartFactory>): [LibraryState, retry: () => Promise<void>] {
  const [failure, setFailure] = useState<ResourceFailure>()
  const [factory, setFactory] = useState<{ it: ChartFactory } | undefined>(
    library.value === undefined ? undefined : { it: library.value },
  )
  const load = useCallback(async () => {
    const result = await library.get()
    if (result.ok) setFactory({ it: result.value })
    else setFailure(result.failure)
  }, [library])
  useEffect(() => {
    void load()
  }, [library, load])
  const retry = () => {
    setFailure(undefined)
    return load()
  }
  if (factory !== undefined) return [{ state: 'ready', factory: factory.it }, retry]
  return [failure === undefined ? { state: 'loading' } : { state: 'failed', failure }, retry]
}
