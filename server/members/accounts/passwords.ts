import { hash, verify } from '@node-rs/argon2'
import { normalPassword } from '../../../contract/rules.ts'
import type { Random } from '../../platform/ports.ts'
import { createSemaphore, type Turn } from '../../platform/semaphore.ts'

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane (the algorithm is the library's default). */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const saltBytes = 16
const digestBytes = 32
/** Each hash takes a core for a while: more at once would block the venue, and a long queue means an attack. */
const hashesAtOnce = 2
const hashesWaitingMax = 200

/** The queue a hash waits in: members with a session or on a known device go first. */
export type Lane = 'known' | 'unknown'
const turnOf = (lane: Lane): Turn => ({ hasPriority: lane === 'known' })

/** Hashes and checks passwords in their normal form (`normalPassword`), a few at a time. Throws `UNAVAILABLE` if too many of the lane wait. */
export type Passwords = {
  hash(text: string, lane: Lane): Promise<string>
  /** With null (the account does not exist) it takes as long and returns false. */
  matches(stored: string | null, text: string, lane: Lane): Promise<boolean>
}

/** In the form and with the cost of every other hash, so that a comparison takes as long; no text has it. */
function hashOfNothing(random: Random): string {
  const { memoryCost, timeCost, parallelism } = argon2Options
  const [salt, digest] = [saltBytes, digestBytes].map((bytes) =>
    Buffer.from(random.bytes(bytes)).toString('base64').replaceAll('=', ''),
  )
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`
}

export function createPasswords(random: Random): Passwords {
  const withPermit = createSemaphore(hashesAtOnce, { queueMax: hashesWaitingMax })
  const computeHash = (text: string): Promise<string> =>
    hash(text, { ...argon2Options, salt: random.bytes(saltBytes) })
  const dummyHash = hashOfNothing(random)
  return {
    hash: (text, lane) => withPermit(() => computeHash(normalPassword(text)), turnOf(lane)),
    matches: (stored, text, lane) =>
      withPermit(async () => {
        const normal = normalPassword(text)
        // Hashes of before there was a normal form are of what was typed.
        const matches =
          (await verify(stored ?? dummyHash, normal)) ||
          (normal !== text && (await verify(stored ?? dummyHash, text)))
        return matches && stored !== null
      }, turnOf(lane)),
  }
}
