import { hash, verify } from '@node-rs/argon2'
import type { Random } from '../ports.ts'
import { createSemaphore } from './semaphore.ts'

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane (the algorithm is the library's default). */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const saltBytes = 16
/** Each takes a core for a while: more at once would starve the venue, and a long queue is an attack. */
const hashesAtOnce = 2
const hashesWaitingMax = 200

/** Who asks: members with a session or on a device they used before go ahead of everybody else. */
export type Lane = 'known' | 'stranger'

/** Hashing and checking of passwords, a few at a time. Throws 503 `UNAVAILABLE` if too many of the lane wait. */
export type Passwords = {
  hash(text: string, lane: Lane): Promise<string>
  /** With null (nobody has that account) it takes as long and answers false. */
  matches(stored: string | null, text: string, lane: Lane): Promise<boolean>
}

export async function createPasswords(random: Random): Promise<Passwords> {
  const withPermit = createSemaphore(hashesAtOnce, hashesWaitingMax)
  const computeHash = (text: string): Promise<string> =>
    hash(text, { ...argon2Options, salt: random.bytes(saltBytes) })
  const dummyHash = await computeHash(Buffer.from(random.bytes(32)).toString('base64'))
  return {
    hash: (text, lane) => withPermit(() => computeHash(text), lane === 'known'),
    matches: (stored, text, lane) =>
      withPermit(async () => {
        const same = await verify(stored ?? dummyHash, text)
        return same && stored !== null
      }, lane === 'known'),
  }
}
