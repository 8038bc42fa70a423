import * as z from 'zod/mini'
import { retention } from '../../contract/retention.ts'
import type { KvStore } from './kvStore.ts'

/** The longest a session can last. Older data belongs to one that has ended. */
export const retentionMs = retention.session.ms

export type MemberKvStoreParts = {
  kvStore: KvStore
  /** Who is logged in; without a member nothing is stored or read. */
  memberId: () => string | undefined
  /** The device's clock: used only for the age of stored data. */
  now: () => number
}

/** A stored value with the time it was stored. */
export type StoredValue<T> = z.ZodMiniType<{ value: T; keptAt: number }>
export const storedValueOf = <T>(value: z.ZodMiniType<T>): StoredValue<T> =>
  z.object({ value, keptAt: z.int() })

/** The part of the store that belongs to the member who is logged in. */
export function createMemberKvStore({ kvStore, memberId, now }: MemberKvStoreParts) {
  return {
    /** The value under a name; undefined if it is too old, has another shape, or the member has changed meanwhile. */
    read: async <T>(name: string, schema: StoredValue<T>): Promise<T | undefined> => {
      const member = memberId()
      if (member === undefined) return undefined
      const stored = parseStored(schema, await kvStore.read(`${member}/${name}`))
      return memberId() === member && stored && now() - stored.keptAt < retentionMs ? stored.value : undefined
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

/** The stored value; undefined if its shape is not the one of this version. */
function parseStored<T>(schema: z.ZodMiniType<T>, stored: unknown): T | undefined {
  const parsed = z.safeParse(schema, stored)
  return parsed.success ? parsed.data : undefined
}
