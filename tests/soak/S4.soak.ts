import { openScratchPostgres } from '../support/scratchPostgres.ts'
import { spendKinds, raceSpends } from '../scenarios/doubleSpend.ts'
import type { SoakRun, Row } from './row.ts'

const rounds = 20

/** No double spend, on real PostgreSQL through the modules of two processes. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const scratch = await openScratchPostgres('soak_s4')
  const rows: Row[] = []
  for (const spend of spendKinds) {
    const { tried, violations } = await raceSpends(scratch.database, spend, rounds)
    for (const violation of violations) log(violation)
    const what = `100 parallel ${spend === 'mixed' ? 'calls of all three' : spend} of 10.00 on 500.00: exactly 50`
    rows.push({ id: 'S4', what, tried, broken: violations.length, note: 'rounds on PostgreSQL' })
    log(`${spend} done`)
  }
  await scratch.drop()
  return rows
}
