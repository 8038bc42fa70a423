import * as z from 'zod/mini'
import type { Shelf } from './shelf.ts'

/** As long as a session can last. What is older belongs to one that has ended. */
export const keptForMs = 30 * 24 * 60 * 60_000

export type MemberShelfParts = {
  shelf: Shelf
  /** Who is logged in; nothing is kept or read for nobody. */
  memberId: () => string | undefined
  /** The device's own clock: it only tells how long something lies here. */
  now: () => number
}

/** What lies on the shelf under one name: the value, and since when. */
export type Shelved<T> = z.ZodMiniType<{ value: T; keptAt: number }>
export const shelved = <T>(value: z.ZodMiniType<T>): Shelved<T> => z.object({ value, keptAt: z.int() })

/** The part of the shelf that belongs to the member who is logged in. */
export function createMemberShelf({ shelf, memberId, now }: MemberShelfParts) {
  return {
    /** What is kept under a name; nothing where it is too old, of another shape, or the member has changed meanwhile. */
    read: async <T>(name: string, schema: Shelved<T>): Promise<T | undefined> => {
      const member = memberId()
      if (member === undefined) return undefined
      const found = fitting(schema, await shelf.read(`${member}/${name}`))
      return memberId() === member && found && now() - found.keptAt < keptForMs ? found.value : undefined
    },
    change: async <T>(
      name: string,
      schema: Shelved<T>,
      next: (before: T | undefined) => T,
    ): Promise<void> => {
      const member = memberId()
      if (member === undefined) return
      await shelf.change(`${member}/${name}`, (before) => ({
        value: next(fitting(schema, before)?.value),
        keptAt: now(),
      }))
    },
  }
}

/** What is stored where it still has the shape that this version reads. */
function fitting<T>(schema: z.ZodMiniType<T>, stored: unknown): T | undefined {
  const parsed = z.safeParse(schema, stored)
  return parsed.success ? parsed.data : undefined
}
