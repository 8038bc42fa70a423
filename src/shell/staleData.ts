import { useEffect, useSyncExternalStore } from 'react'
import { createEmitter } from '../lib/emitter.ts'

/** The parts of a page that show stored data, with the time of the data. */
const staleParts = new Set<{ at: number }>()
const emitter = createEmitter()

const oldestDataAt = (): number | undefined =>
  staleParts.size === 0 ? undefined : Math.min(...[...staleParts].map(({ at }) => at))

/** The time of the oldest data on the page; undefined if everything is current. */
export const useStaleDataAt = (): number | undefined => useSyncExternalStore(emitter.subscribe, oldestDataAt)

/** Marks the page as stale while the caller shows stored data. */
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
