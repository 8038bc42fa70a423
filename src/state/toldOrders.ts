import * as z from 'zod/mini'
import { createMemberKvStore, storedValueOf, type MemberKvStoreParts } from './memberKvStore.ts'

/** Maximum entries per member. Above it, the oldest reported ones are dropped first. */
export const toldMax = 1000

const entries = storedValueOf(z.array(z.object({ id: z.string(), told: z.boolean() })))
type Entry = z.infer<typeof entries>['value'][number]
const name = 'told'

/**
 * Which orders this device has reported to the member, so that each is reported once: not in two tabs, and not again
 * after a reload. An order that ended while the app was not running is reported at the next start, if this device had
 * seen it open.
 */
export function createToldOrders(parts: MemberKvStoreParts) {
  const { read, change } = createMemberKvStore(parts)
  const update = (next: (before: readonly Entry[]) => readonly Entry[]): Promise<void> =>
    change(name, entries, (before = []) => bounded(next(before)))
  const markTold = (before: readonly Entry[], ids: readonly string[]): readonly Entry[] => [
    ...before.filter(({ id }) => !ids.includes(id)),
    ...ids.map((id) => ({ id, told: true })),
  ]
  return {
    /** The ids that were seen open and are not reported yet. */
    untold: async (): Promise<readonly string[]> =>
      ((await read(name, entries)) ?? []).filter(({ told }) => !told).map(({ id }) => id),
    sawOpen: (ids: readonly string[]): Promise<void> =>
      update((before) => [
        ...before,
        ...ids.filter((id) => before.every((entry) => entry.id !== id)).map((id) => ({ id, told: false })),
      ]),
    /** Marks them as reported, and returns those that were not reported before. Without storage it returns all. */
    take: async (ids: readonly string[]): Promise<readonly string[]> => {
      let taken = ids
      await update((before) => {
        taken = ids.filter((id) => before.every((entry) => entry.id !== id || !entry.told))
        return markTold(before, ids)
      })
      return taken
    },
    /** Not reported: the order is not this member's. */
    forget: (ids: readonly string[]): Promise<void> => update((before) => markTold(before, ids)),
  }
}

function bounded(all: readonly Entry[]): Entry[] {
  const surplus = all.length - toldMax
  if (surplus <= 0) return [...all]
  const dropped = new Set(all.filter(({ told }) => told).slice(0, surplus))
  return all.filter((entry) => !dropped.has(entry)).slice(-toldMax)
}
