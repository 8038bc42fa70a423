import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ports.ts'

/** The system's cryptographic source. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length), uuid: () => randomUUID() }
