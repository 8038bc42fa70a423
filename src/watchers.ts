/** Those who want to know that something changed, as `useSyncExternalStore` asks for them, and the word to all of them. */
export function createWatchers() {
  const watching = new Set<() => void>()
  return {
    /** Calls back from now on; the way out is returned. */
    watch: (changed: () => void): (() => void) => {
      watching.add(changed)
      return () => void watching.delete(changed)
    },
    tell: (): void => {
      for (const changed of watching) changed()
    },
  }
}
