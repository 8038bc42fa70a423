import { openMemoryDatabase } from '../../server/db/memory.ts'
import { liveFundYear } from '../support/fundYear.ts'
import { resettle } from '../support/resettle.ts'
import { compareEdges, compareSettlements } from '../support/settleOracle.ts'
import type { Compared } from '../support/settleOracle.ts'
import type { Campaign, Row } from './row.ts'

const cases = 100_000
const edges = 10_000
const orders = 10_000
const years = 10

/** Settlement is what the rule says, and so is the fund's arithmetic. */
export async function run({ seed, say }: Campaign): Promise<Row[]> {
  const row = (id: string, what: string, { tried, seen, broken }: Compared): Row => {
    for (const line of broken.slice(0, 5)) say(line)
    const note = Object.entries(seen)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([result, count]) => `${result} ${count}`)
    return { id, what, tried, broken: broken.length, note: note.join(', ') }
  }
  const rows = [
    row('S5a', 'random terms, ticks and gaps: the oracle’s result', compareSettlements(cases, seed)),
    row('S5b', 'a tick at exactly closeAt decides, 1 ms later not', compareEdges(edges, seed)),
  ]
  say('settling again from the log')
  const database = await openMemoryDatabase()
  rows.push(row('S5c', 'settled again from the log: the same bytes', await resettle(database, orders, seed)))
  await database.close()
  rows.push(await fundYears(seed, say))
  return rows
}

async function fundYears(seed: number, say: Campaign['say']): Promise<Row> {
  let broken = 0
  let calls = 0
  for (let i = 0; i < years; i++) {
    const database = await openMemoryDatabase()
    try {
      calls += (await liveFundYear(database, seed + i)).calls
    } catch (error) {
      broken += 1
      say(String(error))
    }
    await database.close()
    say(`fund: year ${i + 1} of ${years}`)
  }
  return {
    id: 'S5d',
    what: 'a year of the fund: the oracle’s figures',
    tried: years,
    broken,
    note: `${calls} calls`,
  }
}
