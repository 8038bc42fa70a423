import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import { prepareMember } from '../scenarios/safety/fuzzMember.ts'
import { createFuzzPool } from '../scenarios/safety/fuzzPool.ts'
import { checkRateChange } from '../scenarios/safety/rateChange.ts'
import { forgeRows, checkSamePrices } from '../scenarios/safety/resultTampering.ts'
import type { SoakRun, Row } from './row.ts'
import { openTickingVenue } from '../support/tickingVenue.ts'

const sockets = 200
const watchedSeconds = 30
const openOrders = 50

/** The operator cannot cheat. S13a checks that no request changes a price or a result. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const venue = await openTickingVenue(database)
  const row = (
    id: string,
    what: string,
    { tried, violations }: { tried: number; violations: string[] },
  ): Row => {
    for (const violation of violations) log(violation)
    return { id, what, tried, broken: violations.length }
  }
  try {
    await prepareMember(venue, createFuzzPool(venue.clock), 1)
    return [
      row('S16a', 'statements that forge prices, results, rates, balances', await forgeRows(database)),
      row(
        'S16b',
        `sockets that receive the same ${watchedSeconds} s`,
        await checkSamePrices(venue, sockets, watchedSeconds),
      ),
      row('S16c', 'open orders across a change of the rate', await checkRateChange(openOrders)),
    ]
  } finally {
    await venue.close()
    await database.close()
  }
}
