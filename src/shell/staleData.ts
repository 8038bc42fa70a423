import { useEffect, useSyncExternalStore } from 'react'
import { createEmitter } from '../emitter.ts'

/** From when what a page shows is, where it is not the venue's present word; each part of it that says so. */
const staleParts = new Set<{ at: number }>()
const emitter = createEmitter()

const oldestDataAt = (): number | undefined =>
  staleParts.size === 0 ? undefined : Math.min(...[...staleParts].map(({ at }) => at))

/** The instant that the page's line tells; undefined while everything is fresh. */
export const useStaleDataAt = (): number | undefined => useSyncExternalStore(emitter.subscribe, oldestDataAt)

/** Has the page say from when it is, for as long as the caller shows what was kept. */
export function useReportStaleData(at: number | undefined): void {
  useEffect(() => {
    if (at === undefined) return undefined
    const part = { at }
    staleParts.add(part)
    emitter.emit()
    return () => {
      staleParts.delete(part)
      emitter.emit()
    }
  }, [at])
}
