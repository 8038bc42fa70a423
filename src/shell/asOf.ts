import { useEffect, useSyncExternalStore } from 'react'

/** From when what a page shows is, where it is not the venue's present word; each part of it that says so. */
const told = new Set<{ at: number }>()
const watchers = new Set<() => void>()

const oldest = (): number | undefined =>
  told.size === 0 ? undefined : Math.min(...[...told].map(({ at }) => at))

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** The instant that the page's line tells; undefined while everything is fresh. */
export const useShownAsOf = (): number | undefined => useSyncExternalStore(watch, oldest)

/** Has the page say from when it is, for as long as the caller shows what was kept. */
export function useAsOf(at: number | undefined): void {
  useEffect(() => {
    if (at === undefined) return undefined
    const entry = { at }
    const tell = (): void => {
      for (const watcher of watchers) watcher()
    }
    told.add(entry)
    tell()
    return () => {
      told.delete(entry)
      tell()
    }
  }, [at])
}
