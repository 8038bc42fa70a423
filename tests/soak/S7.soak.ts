import { driveBitFlips, driveRewrites } from '../scenarios/logTampering.ts'
import type { SoakRun, Row } from './row.ts'

const times = 1000

/** The past cannot be rewritten: neither a byte of the store, nor the whole log if a client saw a head of it. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const flips = await driveBitFlips(seed, times)
  log(`${times} bytes changed`)
  const rewrites = await driveRewrites(seed, times)
  for (const violation of [...flips.violations, ...rewrites.violations].slice(0, 5)) log(violation)
  return [
    {
      id: 'S7a',
      what: `one byte changed in ${times} copies of the log, each named`,
      tried: flips.tried,
      broken: flips.violations.length,
      note: `any of ${flips.bytes} bytes`,
    },
    {
      id: 'S7b',
      what: `log rewritten and hashed again ${times} times, each detected by an older head`,
      tried: rewrites.tried,
      broken: rewrites.violations.length,
    },
  ]
}
