import * as z from 'zod/mini'
import { useRef, useState } from 'react'
import { clearSessionStorage } from '../../src/state/storage.ts'
import { useSession } from './staff.ts'

/*
 * Text that is written and not sent yet: replies, reasons and articles. It is kept in this tab, for the person who
 * writes it, until it is sent or that person logs out; so it outlives another page, a reload and the end of a session.
 */
const storageKey = (person: string, key: string): string => `draft ${person} ${key}`

function read<T>(name: string, schema: z.ZodMiniType<T>): T | null {
  try {
    const parsed = z.safeParse(schema, JSON.parse(sessionStorage.getItem(name) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    // Blocked, or not ours.
    return null
  }
}

function write(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Blocked or full: then it lasts as long as its field.
  }
}

/** A draft, and what changes it; null is none. Without a key it is not kept. */
export function useKept<T>(key: string | undefined, schema: z.ZodMiniType<T>) {
  const { staff } = useSession()
  const name = key === undefined ? undefined : storageKey(staff.id, key)
  const [value, setValue] = useState<T | null>(() => (name === undefined ? null : read(name, schema)))
  const newest = useRef(value)
  // Written at once: what is sent is often closed in the same moment.
  const set = (next: (before: T | null) => T | null): void => {
    newest.current = next(newest.current)
    if (name !== undefined) write(name, newest.current)
    setValue(newest.current)
  }
  return [value, set] as const
}

/** Like {@link useKept} for one text; empty is none. */
export function useKeptText(key: string | undefined) {
  const [value, setValue] = useKept(key, z.string())
  return [
    value ?? '',
    (next: string | ((before: string) => string)) =>
      setValue((before) => (typeof next === 'string' ? next : next(before ?? '')) || null),
  ] as const
}

/** Whether something is kept under a key. */
export function useHasKept(key: string): boolean {
  const { staff } = useSession()
  return read(storageKey(staff.id, key), z.unknown()) !== null
}

/** Deletes all drafts of this tab, when the person logs out. */
export const forgetDrafts = clearSessionStorage
