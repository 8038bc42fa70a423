import { driveFlips, driveRewrites } from '../support/tampering.ts'
import type { Campaign, Row } from './row.ts'

const times = 1000

/** The past cannot be rewritten: not a byte in the store, and not the whole log where a client saw a head of it. */
export async function run({ seed, say }: Campaign): Promise<Row[]> {
  const flips = await driveFlips(seed, times)
  say(`${times} bytes changed`)
  const rewrites = await driveRewrites(seed, times)
  for (const why of [...flips.broken, ...rewrites.broken].slice(0, 5)) say(why)
  return [
    {
      id: 'S7a',
      what: `one byte changed in ${times} copies of the log, each named`,
      tried: flips.tried,
      broken: flips.broken.length,
      note: `any of ${flips.bytes} bytes`,
    },
    {
      id: 'S7b',
      what: `log rewritten and hashed anew ${times} times, each noticed by an older head`,
      tried: rewrites.tried,
      broken: rewrites.broken.length,
    },
  ]
}
