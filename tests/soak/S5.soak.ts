import { openMemoryDatabase } from '../../server/platform/db/memory.ts'
import { runFundYear } from '../scenarios/fundYear.ts'
import { resettle } from '../scenarios/resettle.ts'
import { compareEdges, compareSettlements, type Comparison } from '../scenarios/settleOracle.ts'
import { compareR2 } from '../scenarios/settleOracleR2.ts'
import type { SoakRun, Row } from './row.ts'

const cases = 100_000
const edges = 10_000
const orders = 10_000
const years = 10

/** Settlement follows the rule, and the fund's arithmetic follows its oracle. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const row = (id: string, what: string, { tried, outcomes, violations }: Comparison): Row => {
    for (const line of violations.slice(0, 5)) log(line)
    const note = Object.entries(outcomes)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([result, count]) => `${result} ${count}`)
    return { id, what, tried, broken: violations.length, note: note.join(', ') }
  }
  const rows = [
    row('S5a', 'rule R1, random terms, ticks and gaps: the oracle’s result', compareSettlements(cases, seed)),
    row('S5b', 'a tick at exactly closeAt decides, 1 ms later not', compareEdges(edges, seed)),
    row('S5e', 'rule R2, random terms, ticks and gaps: the oracle’s result', compareR2(cases, seed)),
  ]
  log('settling again from the log')
  const database = await openMemoryDatabase()
  rows.push(row('S5c', 'settled again from the log: the same bytes', await resettle(database, orders, seed)))
  await database.close()
  rows.push(await fundYears(seed, log))
  return rows
}

async function fundYears(seed: number, log: SoakRun['log']): Promise<Row> {
  let broken = 0
  let calls = 0
  for (let i = 0; i < years; i++) {
    const database = await openMemoryDatabase()
    try {
      calls += (await runFundYear(database, seed + i)).calls
    } catch (error) {
      broken += 1
      log(String(error))
    }
    await database.close()
    log(`fund: year ${i + 1} of ${years}`)
  }
  return {
    id: 'S5d',
    what: 'a year of the fund: the oracle’s figures',
    tried: years,
    broken,
    note: `${calls} calls`,
  }
}
