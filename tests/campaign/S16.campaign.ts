import { openMemoryDatabase } from '../../server/db/open.ts'
import { openDeskHouse } from '../support/deskHouse.ts'
import { prepareMember } from '../support/safety/fuzzMember.ts'
import { createPool } from '../support/safety/fuzzPool.ts'
import { rateChange } from '../support/safety/rateChange.ts'
import { forgeRows, samePrices } from '../support/safety/steering.ts'
import type { Campaign, Row } from './row.ts'

const sockets = 200
const watchedSeconds = 30
const openOrders = 50

/** The operator cannot cheat. That no request reaches a price or a result either is watched by S13a. */
export async function run({ say }: Campaign): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const house = await openDeskHouse(database)
  const row = (id: string, what: string, { tried, faults }: { tried: number; faults: string[] }): Row => {
    for (const fault of faults) say(fault)
    return { id, what, tried, broken: faults.length }
  }
  try {
    await prepareMember(house, createPool(house.clock), 1)
    return [
      row('S16a', 'statements that forge prices, results, rates, balances', await forgeRows(database)),
      row(
        'S16b',
        `sockets that hear the same ${watchedSeconds} s`,
        await samePrices(house, sockets, watchedSeconds),
      ),
      row('S16c', 'open orders across a change of the rate', await rateChange(openOrders)),
    ]
  } finally {
    await house.close()
    await database.close()
  }
}
