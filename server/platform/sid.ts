import type { Random } from './ports.ts'
import { randomToken } from './random.ts'

const sidBytes = 32
/** {@link sidBytes} in base64url: nothing else can be one of our cookies. */
const sidPattern = /^[\w-]{43}$/

/** A new session's id, as its cookie carries it. */
export const newSid = (random: Pick<Random, 'bytes'>): string => randomToken(random, sidBytes)
export const isSid = (text: string): boolean => sidPattern.test(text)
