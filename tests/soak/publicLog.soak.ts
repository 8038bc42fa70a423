import { driveLogRewrites, driveProofTampering } from '../scenarios/publicLogTampering.ts'
import { driveProofFlips, driveTileFlips } from '../scenarios/verifyTampering.ts'
import type { Findings } from '../scenarios/findings.ts'
import type { SoakRun, Row } from './row.ts'

const tamperings = 1000
const rewrittenLogs = 100
const flippedBytes = 1000

/** The public log shows every change: the app's check and `uptick verify --log` are one. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const row = (id: string, what: string, { tried, violations }: Findings): Row => {
    for (const violation of violations.slice(0, 5)) log(violation)
    return { id, what, tried, broken: violations.length }
  }
  return [
    row('S16d', 'changed proofs, leaves and checkpoints', await driveProofTampering(tamperings, seed)),
    row('S16e', 'rewritten logs', await driveLogRewrites(rewrittenLogs, seed)),
    row('S16f', 'changed bytes of a proof file', await driveProofFlips(flippedBytes, seed)),
    row('S16g', 'changed bytes of a whole log', await driveTileFlips(flippedBytes, seed)),
  ]
}
