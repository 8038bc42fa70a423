/** Those who want to know that something changed, as `useSyncExternalStore` asks for them, and the word to all of them. */
export function createEmitter() {
  const listeners = new Set<() => void>()
  return {
    /** Calls back from now on; the way out is returned. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit: (): void => {
      for (const listener of listeners) listener()
    },
  }
}
