import type { KvStore } from '../../src/state/kvStore.ts'

/** An in-memory store; values are cloned, as in a browser. */
export function memoryKvStore() {
  const entries = new Map<string, unknown>()
  const store: KvStore = {
    read: async (key) => structuredClone(entries.get(key)),
    change: async (key, change) => {
      const next = change(structuredClone(entries.get(key)))
      if (next === undefined) entries.delete(key)
      else entries.set(key, structuredClone(next))
    },
    deleteExcept: async (prefix) => {
      for (const key of entries.keys())
        if (prefix === undefined || !key.startsWith(prefix)) entries.delete(key)
    },
  }
  return { ...store, entries }
}
