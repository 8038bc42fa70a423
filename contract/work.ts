import * as z from 'zod/mini'
import { instant } from './schema.ts'

/**
 * Work that the venue asks for where it would otherwise refuse: a device tries the numbers from 0 to `tries` − 1 until the
 * scrypt key of one begins with `target`, and sends the rest of that key. `solveWork.ts` does it.
 */
export const work = z.object({
  id: z.string(),
  expiresAt: instant,
  algorithm: z.literal('scrypt'),
  /** scrypt's N, r; its p is 1 and a key has 32 bytes. */
  cost: z.int().check(z.gte(2), z.lte(65_536)),
  blockSize: z.int().check(z.gte(1), z.lte(32)),
  salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** The first half of the key, in hex. */
  target: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  tries: z.int().check(z.gte(1), z.lte(65_536)),
})
export type Work = z.infer<typeof work>

/** The second half of the key that was found, in hex. */
export const workAnswer = z.strictObject({
  id: z.string({ error: 'REQUIRED' }).check(z.maxLength(2048)),
  key: z.string({ error: 'REQUIRED' }).check(z.maxLength(64)),
})
export type WorkAnswer = z.infer<typeof workAnswer>

/** The work of a failure's parameters; undefined if it asks for none. */
export function workOf(params: Record<string, unknown> | undefined): Work | undefined {
  const parsed = work.safeParse(params?.['work'])
  return parsed.success ? parsed.data : undefined
}
