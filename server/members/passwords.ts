import { hash, verify } from '@node-rs/argon2'
import type { Random } from '../ports.ts'
import { slots } from './slots.ts'

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane (the algorithm is the library's default). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
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
  const inTurn = slots(hashesAtOnce, hashesWaitingMax)
  const hashed = (text: string): Promise<string> => hash(text, { ...cost, salt: random.bytes(saltBytes) })
  const nobodys = await hashed(Buffer.from(random.bytes(32)).toString('base64'))
  return {
    hash: (text, lane) => inTurn(() => hashed(text), lane === 'known'),
    matches: (stored, text, lane) =>
      inTurn(async () => {
        const same = await verify(stored ?? nobodys, text)
        return same && stored !== null
      }, lane === 'known'),
  }
}
