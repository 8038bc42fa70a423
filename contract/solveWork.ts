import { scrypt } from '@noble/hashes/scrypt.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Work, WorkAnswer } from './work.ts'

/** Hex digits of one half of a key. */
const halfDigits = 32

/** The key of one number, in hex: its first half is what a challenge shows, its second half the answer. */
export function workKey(
  { salt, cost, blockSize }: Pick<Work, 'salt' | 'cost' | 'blockSize'>,
  n: number,
): string {
  return bytesToHex(scrypt(String(n), hexToBytes(salt), { N: cost, r: blockSize, p: 1, dkLen: halfDigits }))
}

/** Finds the answer. It keeps its thread busy for up to some seconds. Null for work that has none. */
export function solveWork(work: Work): WorkAnswer | null {
  for (let n = 0; n < work.tries; n++) {
    const key = workKey(work, n)
    if (key.startsWith(work.target)) return { id: work.id, key: key.slice(halfDigits) }
  }
  return null
}
