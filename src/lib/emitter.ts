/** A set of change listeners, in the form that `useSyncExternalStore` expects. */
export function createEmitter() {
  const listeners = new Set<() => void>()
  return {
    /** Returns the function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit: (): void => {
      for (const listener of listeners) listener()
    },
  }
}
