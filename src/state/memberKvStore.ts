import * as z from 'zod/mini'
import type { KvStore } from './kvStore.ts'

/** As long as a session can last. What is older belongs to one that has ended. */
export const retentionMs = 30 * 24 * 60 * 60_000

export type MemberKvStoreParts = {
  kvStore: KvStore
  /** Who is logged in; nothing is kept or read for nobody. */
  memberId: () => string | undefined
  /** The device's own clock: it only tells how long something lies here. */
  now: () => number
}

/** What lies on the shelf under one name: the value, and since when. */
export type StoredValue<T> = z.ZodMiniType<{ value: T; keptAt: number }>
export const storedValueOf = <T>(value: z.ZodMiniType<T>): StoredValue<T> =>
  z.object({ value, keptAt: z.int() })

/** The part of the shelf that belongs to the member who is logged in. */
export function createMemberKvStore({ kvStore, memberId, now }: MemberKvStoreParts) {
  return {
    /** What is kept under a name; nothing where it is too old, of another shape, or the member has changed meanwhile. */
    read: async <T>(name: string, schema: StoredValue<T>): Promise<T | undefined> => {
      const member = memberId()
      if (member === undefined) return undefined
      const found = parseStored(schema, await kvStore.read(`${member}/${name}`))
      return memberId() === member && found && now() - found.keptAt < retentionMs ? found.value : undefined
    },
    change: async <T>(
      name: string,
      schema: StoredValue<T>,
      next: (before: T | undefined) => T,
    ): Promise<void> => {
      const member = memberId()
      if (member === undefined) return
      await kvStore.change(`${member}/${name}`, (before) => ({
        value: next(parseStored(schema, before)?.value),
        keptAt: now(),
      }))
    },
  }
}

/** What is stored where it still has the shape that this version reads. */
function parseStored<T>(schema: z.ZodMiniType<T>, stored: unknown): T | undefined {
  const parsed = z.safeParse(schema, stored)
  return parsed.success ? parsed.data : undefined
}
