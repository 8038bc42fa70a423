import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { badFiles, sendBadFiles, sendDamaged } from '../../support/safety/badFiles.ts'
import { openWalletHouse } from '../../support/walletHouse.ts'
import type { WalletHouse } from '../../support/walletHouse.ts'

let database: Database
let house: WalletHouse
beforeAll(async () => {
  database = await openMemoryDatabase()
  house = await openWalletHouse(database)
})
afterAll(async () => {
  await house.close()
  await database.close()
})

it.each(badFiles.map((file) => [file.name, file] as const))(
  '%s is refused without a trace, or written anew and private',
  async (_name, file) => {
    expect((await sendBadFiles(house, [file])).faults).toEqual([])
  },
)

it('damaged pictures are refused or written anew', async () => {
  expect((await sendDamaged(house, 30, 14)).faults).toEqual([])
}, 300_000)
