import { useEffect, useState } from 'react'
import type { ChartFactory } from '../../chart/port.ts'
import type { LoadFailure } from '../../start/reportFailure.ts'
import type { Lazy, LazyResult } from '../../start/lazy.ts'

export type LibraryState =
  | { state: 'loading' }
  | { state: 'ready'; factory: ChartFactory }
  | { state: 'failed'; failure: LoadFailure }

/** Loads the chart library, with a retry. */
export function useChartLibrary(library: Lazy<ChartFactory>): [LibraryState, retry: () => Promise<void>] {
  const [state, setState] = useState<LibraryState>(
    library.value === undefined ? { state: 'loading' } : { state: 'ready', factory: library.value },
  )
  useEffect(() => {
    let isDisposed = false
    const wait = async () => {
      const result = await library.get()
      if (!isDisposed) setState(stateOf(result))
    }
    void wait()
    return () => {
      isDisposed = true
    }
  }, [library])
  const retry = async () => {
    setState({ state: 'loading' })
    setState(stateOf(await library.getOrReload({ isRetry: true })))
  }
  return [state, retry]
}

const stateOf = (result: LazyResult<ChartFactory>): LibraryState =>
  result.ok ? { state: 'ready', factory: result.value } : { state: 'failed', failure: result.failure }
