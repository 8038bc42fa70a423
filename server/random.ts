import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ports.ts'

/** The system's cryptographic source. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length), uuid: () => randomUUID() }

/** @returns so many random bytes in base64url: a secret that a link or a cookie may carry */
export const randomToken = (random: Pick<Random, 'bytes'>, byteCount: number): string =>
  Buffer.from(random.bytes(byteCount)).toString('base64url')
