import type { Shelf } from '../../src/state/shelf.ts'

/** A shelf in memory; what lies on it has been through a copy, as in a browser. */
export function memoryShelf() {
  const kept = new Map<string, unknown>()
  const shelf: Shelf = {
    read: async (key) => structuredClone(kept.get(key)),
    change: async (key, change) => {
      const next = change(structuredClone(kept.get(key)))
      if (next === undefined) kept.delete(key)
      else kept.set(key, structuredClone(next))
    },
    keepOnly: async (beginning) => {
      for (const key of kept.keys())
        if (beginning === undefined || !key.startsWith(beginning)) kept.delete(key)
    },
  }
  return { ...shelf, kept }
}
