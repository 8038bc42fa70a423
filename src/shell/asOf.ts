import { useEffect, useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'

/** From when what a page shows is, where it is not the venue's present word; each part of it that says so. */
const told = new Set<{ at: number }>()
const watchers = createWatchers()

const oldest = (): number | undefined =>
  told.size === 0 ? undefined : Math.min(...[...told].map(({ at }) => at))

/** The instant that the page's line tells; undefined while everything is fresh. */
export const useShownAsOf = (): number | undefined => useSyncExternalStore(watchers.watch, oldest)

/** Has the page say from when it is, for as long as the caller shows what was kept. */
export function useAsOf(at: number | undefined): void {
  useEffect(() => {
    if (at === undefined) return undefined
    const entry = { at }
    told.add(entry)
    watchers.tell()
    return () => {
      told.delete(entry)
      watchers.tell()
    }
  }, [at])
}
