import { openMemoryDatabase } from '../../server/db/open.ts'
import { badFiles, sendBadFiles, sendDamaged } from '../support/safety/badFiles.ts'
import type { FileReport } from '../support/safety/badFiles.ts'
import { openWalletHouse } from '../support/walletHouse.ts'
import type { Campaign, Row } from './row.ts'

const damagedTried = 1000

/** Uploads are harmless and private. */
export async function run({ seed, say }: Campaign): Promise<Row[]> {
  const database = await openMemoryDatabase()
  const house = await openWalletHouse(database)
  const row = (id: string, what: string, { tried, faults, refused, rewritten }: FileReport): Row => {
    for (const fault of faults) say(fault)
    return { id, what, tried, broken: faults.length, note: `${refused} refused, ${rewritten} written anew` }
  }
  try {
    return [
      row('S14a', 'malicious kinds of uploads', await sendBadFiles(house, badFiles)),
      row('S14b', 'damaged pictures', await sendDamaged(house, damagedTried, seed)),
    ]
  } finally {
    await house.close()
    await database.close()
  }
}
