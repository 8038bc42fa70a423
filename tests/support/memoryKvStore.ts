import type { KvStore } from '../../src/state/kvStore.ts'

/** A shelf in memory; what lies on it has been through a copy, as in a browser. */
export function memoryKvStore() {
  const entries = new Map<string, unknown>()
  const store: KvStore = {
    read: async (key) => structuredClone(entries.get(key)),
    change: async (key, change) => {
      const next = change(structuredClone(entries.get(key)))
      if (next === undefined) entries.delete(key)
      else entries.set(key, structuredClone(next))
    },
    deleteExcept: async (beginning) => {
      for (const key of entries.keys())
        if (beginning === undefined || !key.startsWith(beginning)) entries.delete(key)
    },
  }
  return { ...store, kept: entries }
}
